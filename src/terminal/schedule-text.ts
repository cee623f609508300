import { UsageError } from '../errors.ts';
import { sanitiseLine, shellLine } from '../format/sanitise.ts';
import { type Speech, say } from '../words/speech.ts';

/** A command that a scheduler runs: once a night, or every few minutes if `isFrequent`. */
export type ScheduledJob = { name: string; title: string; isFrequent: boolean; command: string[] };

/** Jobs in order, each run even if the previous one fails, and the time of day of the first nightly job. */
export type NightSchedule = { jobs: ScheduledJob[]; hour: number; minute: number };

export const schedulers = ['cron', 'systemd'] as const;

const frequentMinutes = 5; // interval of jobs with `isFrequent`

/** Returns the configuration of a scheduler and how to install it; throws a UsageError for a line end in a command. */
export function scheduleText(scheduler: (typeof schedulers)[number], schedule: NightSchedule, speech: Speech): string {
  const multilineWord = schedule.jobs.flatMap(({ command }) => command).find((word) => /[\r\n]/.test(word));
  if (multilineWord !== undefined)
    throw new UsageError(say`${sanitiseLine(multilineWord)} contains a line end, which no scheduler can write`);
  return { cron: cronText, systemd: systemdText }[scheduler](schedule, speech);
}

const groupJobs = (jobs: ScheduledJob[]) =>
  Object.groupBy(jobs, ({ isFrequent }) => (isFrequent ? 'frequent' : 'nightly'));

function cronText({ jobs, minute, hour }: NightSchedule, speech: Speech): string {
  const { nightly = [], frequent = [] } = groupJobs(jobs);
  // A % ends the command in a crontab.
  const cronLine = (timing: string, jobs: ScheduledJob[]) =>
    `${timing} ${jobs.map(({ command }) => shellLine(command).replaceAll('%', '\\%')).join('; ')}\n`;
  return `# crontab -e; ${speech.say`what fails is written to stderr, which cron sends by mail`}
${cronLine(`${minute} ${hour} * * *`, nightly)}${frequent.map((job) => cronLine(`*/${frequentMinutes} * * * *`, [job])).join('')}`;
}

const unitFolder = '~/.config/systemd/user';

/** A unit per job, so that the next runs if one fails. The timer starts the last, which first starts the one before. */
function systemdText({ jobs, hour, minute }: NightSchedule, speech: Speech): string {
  const { nightly = [], frequent = [] } = groupJobs(jobs);
  const services = [
    ...nightly.map((job, at) => serviceText(job, nightly[at - 1] ?? null)),
    ...frequent.map((job) => serviceText(job, null)),
  ];
  const dailyTiming = `OnCalendar=*-*-* ${twoDigits(hour)}:${twoDigits(minute)}:00
RandomizedDelaySec=10m
Persistent=true`;
  const timers = [
    timerText('hemicycle', 'Hemicycle, every night', `${dailyTiming}\nUnit=${unitOf(nightly.at(-1)!)}.service`),
    ...frequent.map((job) =>
      timerText(unitOf(job), job.title, `OnBootSec=${frequentMinutes}m\nOnUnitInactiveSec=${frequentMinutes}m`),
    ),
  ];
  const timerUnits = ['hemicycle', ...frequent.map(unitOf)].map((name) => `${name}.timer`).join(' ');
  return `${services.join('\n')}
# ${unitFolder}/hemicycle-failed@.service (${speech.say`replace the command by one that reaches you: a mail, a message`})
[Unit]
Description=Report that %i failed

[Service]
Type=oneshot
ExecStart=/usr/bin/logger --priority user.err "%i failed: journalctl --user --unit %i"

${timers.join('\n')}
# systemctl --user daemon-reload
# systemctl --user enable --now ${timerUnits}
# loginctl enable-linger    (${speech.say`without it nothing runs while you are not logged in`})
`;
}

const unitOf = ({ name }: ScheduledJob) => `hemicycle-${name}`;

function serviceText(job: ScheduledJob, previousJob: ScheduledJob | null): string {
  const orderingLines =
    previousJob === null ? '' : `Wants=${unitOf(previousJob)}.service\nAfter=${unitOf(previousJob)}.service\n`;
  return `# ${unitFolder}/${unitOf(job)}.service
[Unit]
Description=${job.title}
${orderingLines}OnFailure=hemicycle-failed@%N.service

[Service]
Type=oneshot
ExecStart=${job.command.map(systemdWord).join(' ')}
`;
}

function timerText(name: string, title: string, timing: string): string {
  return `# ${unitFolder}/${name}.timer
[Unit]
Description=${title}

[Timer]
${timing}

[Install]
WantedBy=timers.target
`;
}

/** Quotes a word for systemd, which reads % as a specifier and $ as a variable even in quotes. */
function systemdWord(word: string): string {
  const text = word.replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /^[\w@%+=:,./$-]+$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
}

const twoDigits = (number: number) => String(number).padStart(2, '0');

/** Schedule (UTC), installed version and settings (environment variables) of a GitHub workflow. */
type WorkflowOptions = Omit<NightSchedule, 'jobs'> & {
  version: string;
  baseUrl: string;
  language: string;
  settings: [variable: string, value: string][];
};

/** Returns a GitHub Actions workflow that syncs every night and deploys the pages to GitHub Pages, free of charge. */
export function workflowText({ hour, minute, version, baseUrl, language, settings }: WorkflowOptions): string {
  // Quoted for YAML; an opening `{{` is escaped, since Actions would evaluate it as an expression.
  const opening = `$${'{{'}`;
  const quote = (text: string) => JSON.stringify(text).replaceAll(opening, `${opening} '${opening}' }}`);
  const cache = (verb: string, extraLines = '') => `      - uses: actions/cache/${verb}@v4
        with:
          path: mirror.db
          key: hemicycle-\${{ github.run_id }}
${extraLines}`;
  return `# .github/workflows/hemicycle.yml; in the settings of the repository: Pages, Source: GitHub Actions
# An action named by a tag is what its owner makes of the tag: pin it to the commit of its release, as setup-node is.
name: hemicycle
on:
  schedule:
    # UTC
    - cron: '${minute} ${hour} * * *'
  workflow_dispatch:
permissions:
  contents: read
  pages: write
  id-token: write
concurrency:
  group: hemicycle
jobs:
  site:
    runs-on: ubuntu-24.04
    timeout-minutes: 180
    environment:
      name: github-pages
      url: \${{ steps.deployed.outputs.page_url }}
    env:
${settings.map(([variable, value]) => `      ${variable}: ${quote(value)}\n`).join('')}      # Empty without such a secret of the repository.
      HEMICYCLE_TOKEN: \${{ secrets.HEMICYCLE_TOKEN }}
    steps:
      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0
        with:
          node-version: 24
      - run: npm install --global hemicycle@${version}
${cache('restore', '          restore-keys: hemicycle-\n')}      # What a sync that failed has saved is published; the next night goes on from there.
      - run: ${shellLine(['hemicycle', 'sync', '--quiet', '--from', baseUrl, '--db', 'mirror.db'])}
        continue-on-error: true
${cache('save')}      - id: pages
        uses: actions/configure-pages@v5
      - run: hemicycle site --quiet --lang ${language} --url "\${{ steps.pages.outputs.base_url }}/" -o public --db mirror.db
      - uses: actions/upload-pages-artifact@v3
        with:
          path: public
      - id: deployed
        uses: actions/deploy-pages@v4
`;
}
