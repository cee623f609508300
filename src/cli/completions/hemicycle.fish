function __hemicycle_candidates
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l found ($words[1] completion fish --words -- $words[2..-1] $current 2> /dev/null)
  if test "$found[1]" = ":files"
    __fish_complete_path $current
    return
  end
  printf '%s\n' $found
end
complete -c hemicycle -f -a '(__hemicycle_candidates)'
