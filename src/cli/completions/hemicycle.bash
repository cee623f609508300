_hemicycle() {
  local line="${COMP_LINE:0:COMP_POINT}" words=() found=() word cut
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  local current="${words[${#words[@]}-1]}"
  while IFS=$'\t' read -r word _; do found+=("$word"); done < <(
    "${words[0]}" completion bash --words -- "${words[@]:1}" 2> /dev/null
  )
  COMPREPLY=()
  if [[ ${found[0]-} == ":files" ]]; then
    compopt -o default 2> /dev/null
    return
  fi
  # A colon and an equals sign end a word of readline.
  cut="${current%"${current##*[:=]}"}"
  for word in "${found[@]}"; do COMPREPLY+=("${word#"$cut"}"); done
  [[ ${#found[@]} -eq 1 && ${found[0]} == *: ]] && compopt -o nospace 2> /dev/null
}
complete -F _hemicycle hemicycle
