/** Words as one line that a POSIX shell reads as the same words. */
export function shellLine(words: string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');
}

/** What runs every day, and when: words of a sync and of an export, hour and minute of the day. */
export type Schedule = { program: string[]; sync: string[]; export: string[]; hour: number; minute: number };

export const schedulers = ['cron', 'systemd', 'launchd'] as const;

export type Scheduler = (typeof schedulers)[number];

/** The text that a scheduler takes, ready to be put where its first lines say. */
export function scheduleText(scheduler: Scheduler, schedule: Schedule): string {
  return { cron: cronText, systemd: systemdText, launchd: launchdText }[scheduler](schedule);
}

const lineOf = ({ program, sync, export: exported }: Schedule) =>
  `${shellLine([...program, ...sync])} && ${shellLine([...program, ...exported])}`;

function cronText(schedule: Schedule): string {
  // A % ends the command in a crontab.
  const line = lineOf(schedule).replaceAll('%', '\\%');
  return `# crontab -e; what fails is written to stderr, which cron sends by mail
${schedule.minute} ${schedule.hour} * * * ${line}
`;
}

function systemdText(schedule: Schedule): string {
  const { program, sync, export: exported, hour, minute } = schedule;
  const words = (all: string[]) => all.map(systemdWord).join(' ');
  return `# ~/.config/systemd/user/hemicycle.service
[Unit]
Description=Mirror and export with Hemicycle

[Service]
Type=oneshot
ExecStart=${words([...program, ...sync])}
ExecStart=${words([...program, ...exported])}

# ~/.config/systemd/user/hemicycle.timer
[Unit]
Description=Mirror and export with Hemicycle, every night

[Timer]
OnCalendar=*-*-* ${two(hour)}:${two(minute)}:00
RandomizedDelaySec=10m
Persistent=true

[Install]
WantedBy=timers.target

# systemctl --user enable --now hemicycle.timer
`;
}

/** systemd reads % as a specifier and $ as a variable, whatever the quotes. */
function systemdWord(word: string): string {
  const text = word.replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /^[\w@%+=:,./$-]+$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function launchdText(schedule: Schedule): string {
  const words = ['/bin/sh', '-c', lineOf(schedule)];
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ~/Library/LaunchAgents/hemicycle.plist; launchctl load that file -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>hemicycle</string>
  <key>ProgramArguments</key>
  <array>
${words.map((word) => `    <string>${escaped(word)}</string>`).join('\n')}
  </array>
  <key>StartCalendarInterval</key>
  <dict>
    <key>Hour</key><integer>${schedule.hour}</integer>
    <key>Minute</key><integer>${schedule.minute}</integer>
  </dict>
</dict>
</plist>
`;
}

const two = (number: number) => String(number).padStart(2, '0');

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
