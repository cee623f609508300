import { shellLine } from '../format/sanitise.ts';

/**
 * A daily sync and the export that follows it in any case, with the time of day; `log` is the error log, for schedulers
 * that take one.
 */
export type ScheduledRun = {
  program: string[];
  sync: string[];
  export: string[];
  hour: number;
  minute: number;
  log: string;
};

export const schedulers = ['cron', 'systemd', 'launchd'] as const;

export type Scheduler = (typeof schedulers)[number];

/** Configuration text for a scheduler; its first lines say where to put it. */
export function scheduleText(scheduler: Scheduler, schedule: ScheduledRun): string {
  return { cron: cronText, systemd: systemdText, launchd: launchdText }[scheduler](schedule);
}

const lineOf = ({ program, sync, export: exported }: ScheduledRun) =>
  `${shellLine([...program, ...sync])}; ${shellLine([...program, ...exported])}`;

function cronText(schedule: ScheduledRun): string {
  // A % ends the command in a crontab.
  const line = lineOf(schedule).replaceAll('%', '\\%');
  return `# crontab -e; what fails is written to stderr, which cron sends by mail
${schedule.minute} ${schedule.hour} * * * ${line}
`;
}

/** Two units, so that a failed sync is reported and the export still runs. */
function systemdText({ program, sync, export: exported, hour, minute }: ScheduledRun): string {
  const words = (all: string[]) => all.map(systemdWord).join(' ');
  return `# ~/.config/systemd/user/hemicycle-sync.service
[Unit]
Description=Mirror with Hemicycle
OnFailure=hemicycle-failed@%N.service

[Service]
Type=oneshot
ExecStart=${words([...program, ...sync])}

# ~/.config/systemd/user/hemicycle.service
[Unit]
Description=Export with Hemicycle, after a sync
Wants=hemicycle-sync.service
After=hemicycle-sync.service
OnFailure=hemicycle-failed@%N.service

[Service]
Type=oneshot
ExecStart=${words([...program, ...exported])}

# ~/.config/systemd/user/hemicycle-failed@.service (put here what reaches you: a mail, a message)
[Unit]
Description=Tell that %i failed

[Service]
Type=oneshot
ExecStart=/usr/bin/logger --priority user.err "%i failed: journalctl --user --unit %i"

# ~/.config/systemd/user/hemicycle.timer
[Unit]
Description=Mirror and export with Hemicycle, every night

[Timer]
OnCalendar=*-*-* ${two(hour)}:${two(minute)}:00
RandomizedDelaySec=10m
Persistent=true

[Install]
WantedBy=timers.target

# systemctl --user daemon-reload
# systemctl --user enable --now hemicycle.timer
# loginctl enable-linger    (without it nothing runs while you are not logged in)
`;
}

/** systemd reads % as a specifier and $ as a variable, whatever the quotes. */
function systemdWord(word: string): string {
  const text = word.replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /^[\w@%+=:,./$-]+$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function launchdText(schedule: ScheduledRun): string {
  const words = ['/bin/sh', '-c', lineOf(schedule)];
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ~/Library/LaunchAgents/hemicycle.plist; launchctl bootstrap gui/$(id -u) that file -->
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
  <key>StandardErrorPath</key><string>${escaped(schedule.log)}</string>
</dict>
</plist>
`;
}

const two = (number: number) => String(number).padStart(2, '0');

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
