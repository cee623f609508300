import { sanitiseLine } from '../../format/sanitise.ts';
import { HemicycleCommand } from '../base-command.ts';
import { candidatesOf } from '../completion.ts';
import { readManifest } from '../manifest.ts';
import { argument, Flags } from '../oclif.ts';

/** Completion script of each shell; all of them call the program, which knows its flags and the mirror. */
const scripts = {
  bash: `_hemicycle() {
  local line="\${COMP_LINE:0:COMP_POINT}" words=() found=() word cut
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  local current="\${words[\${#words[@]}-1]}"
  while IFS=$'\\t' read -r word _; do found+=("$word"); done < <(
    "\${words[0]}" completion bash --words -- "\${words[@]:1}" 2> /dev/null
  )
  COMPREPLY=()
  if [[ \${found[0]-} == ":files" ]]; then
    compopt -o default 2> /dev/null
    return
  fi
  # A colon and an equals sign end a word of readline.
  cut="\${current%"\${current##*[:=]}"}"
  for word in "\${found[@]}"; do COMPREPLY+=("\${word#"$cut"}"); done
  [[ \${#found[@]} -eq 1 && \${found[0]} == *: ]] && compopt -o nospace 2> /dev/null
}
complete -F _hemicycle hemicycle
`,
  zsh: `#compdef hemicycle
_hemicycle() {
  local -a found shown
  local word meaning
  while IFS=$'\\t' read -r word meaning; do
    if [[ $word == ":files" ]]; then
      _files
      return
    fi
    found+=("$word")
    shown+=("$word\${meaning:+  -- $meaning}")
  done < <("\${(Q)words[1]}" completion zsh --words -- "\${(@Q)words[2,CURRENT]}" 2> /dev/null)
  (( \${#found} )) || return 1
  if [[ \${#found} -eq 1 && $found[1] == *: ]]; then
    compadd -S '' -a found
  else
    compadd -l -d shown -a found
  fi
}
if [[ \${funcstack[1]-} == _hemicycle ]]; then
  _hemicycle "$@"
else
  compdef _hemicycle hemicycle
fi
`,
  fish: `function __hemicycle_candidates
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l found ($words[1] completion fish --words -- $words[2..-1] $current 2> /dev/null)
  if test "$found[1]" = ":files"
    __fish_complete_path $current
    return
  end
  printf '%s\\n' $found
end
complete -c hemicycle -f -a '(__hemicycle_candidates)'
`,
} as const;

export default class Completions extends HemicycleCommand {
  static override strict = false;
  static override args = { shell: argument('bash, zsh or fish', Object.keys(scripts)) };
  static override flags = {
    words: Flags.boolean({
      description: 'what the last of the words behind -- may become, as the script asks it',
    }),
  };

  async run(): Promise<void> {
    const { argv, args, flags } = await this.parse(Completions);
    const { stdout } = this.sinks();
    if (!flags.words) return stdout.write(scripts[args.shell as keyof typeof scripts]);
    const settings = this.settingsWith();
    const found = candidatesOf((argv as string[]).slice(1), readManifest(this.config.root), (read) => {
      try {
        return read(this.mirror(settings));
      } catch {
        // Tab prints no errors.
        return [];
      }
    });
    // Words with spaces need quoting, which differs from shell to shell.
    const words = found.filter(({ word }) => !/\s/.test(word));
    await stdout.write(words.map(({ word, meaning }) => `${word}\t${sanitiseLine(meaning)}\n`).join(''));
  }
}
