# navview's completion for fish: put this file into ~/.config/fish/completions as navview.fish.
function __navview
  set -l found (navview completion words -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
  if test "$found[1]" = /
    set -e found[1]
    __fish_complete_path (commandline -ct)
  end
  printf '%s\n' $found
end
complete -c navview -f -a '(__navview)'
