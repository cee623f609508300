import { ConfigurationError } from '../errors.ts';
import { workflowText } from '../terminal/schedule-text.ts';
import { type Phrase, say, saying } from '../words/speech.ts';
import type { HemicycleCommand } from './base-command.ts';
import { openQuestioner } from './questioner.ts';
import { type SettingKey, settingKeys, settingRow } from './setting-table.ts';
import type { Settings } from './settings.ts';

/** Prints a GitHub Actions workflow; asks for missing required settings, or throws a ConfigurationError. */
export async function printWorkflow(command: HemicycleCommand, time: { hour: number; minute: number }): Promise<void> {
  const missingIn = ({ rawSettings }: Settings) => requiredSettings.filter(([key]) => rawSettings[key].value === null);
  const answers: Partial<Record<SettingKey, string | undefined>> = {};
  const promptedSettings = missingIn(command.settingsWith());
  const ask = promptedSettings.length > 0 ? openQuestioner(command) : null;
  if (ask) for (const [key, question] of promptedSettings) answers[key] = (await ask(question)) || undefined;
  const settings = command.settingsWith(answers);
  const { rawSettings, baseUrl } = settings;
  const missingSettings = missingIn(settings);
  if (missingSettings.length > 0 || baseUrl === null)
    throw new ConfigurationError(
      say`public pages must name their publisher; set first: ${missingSettings.map(([key]) => key).join(', ')}`,
      saying(() => missingSettings.map(([key, , example]) => `\`hemicycle config set ${key} ${example}\``).join(', ')),
    );
  const isPortable = (key: SettingKey) =>
    !nonPortableSettings.includes(key) && !settingRow(key).isSecret && rawSettings[key].origin !== 'default';
  const portableKeys = settingKeys.filter(isPortable);
  await command.sinks().stdout.write(
    workflowText({
      ...time,
      version: command.config.version,
      baseUrl,
      language: command.speech.language,
      settings: portableKeys.map((key): [string, string] => [settingRow(key).variable, rawSettings[key].value!]),
    }),
  );
}

/** Settings that a workflow sets itself, or that name files of this machine. */
const nonPortableSettings: SettingKey[] = ['db', 'base-url', 'lang', 'questions', 'token-file'];

/** Settings that public pages require: the question for each, and an example of an answer. */
const requiredSettings: [key: SettingKey, question: Phrase, example: string][] = [
  ['base-url', say`Address of the service (https://service.example/api/v1): `, 'https://service.example/api/v1'],
  ['publisher', say`Who publishes the pages, a person or an organisation: `, '"Association Exemple"'],
  ['contact', say`Their contact for readers, an email address or a URL: `, 'redaction@exemple.fr'],
];
