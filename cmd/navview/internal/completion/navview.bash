# navview's completion for bash: source <(navview completion bash)
_navview() {
  local IFS=$'\n' found cur=${COMP_WORDS[COMP_CWORD]}
  local words=("${COMP_WORDS[@]:1:COMP_CWORD}")
  # Bash takes = for a word of its own.
  if [[ $cur == '=' ]]; then cur=; words[${#words[@]}-1]=; fi
  found=$(navview completion words -- "${words[@]}" 2>/dev/null)
  COMPREPLY=($(compgen -W "${found#/}" -- "$cur"))
  [[ $found != /* ]] || COMPREPLY+=($(compgen -f -- "$cur"))
}
complete -o filenames -F _navview navview
