#compdef navview
# navview's completion for zsh: put this file into a folder of $fpath as _navview.
_navview() {
  local -a found
  found=("${(@f)$(navview completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  [[ $found[1] != / ]] || { shift found; _files }
  compadd -a found
}
if [[ ${zsh_eval_context[-1]} == loadautofunc ]]; then _navview "$@"; else compdef _navview navview; fi
