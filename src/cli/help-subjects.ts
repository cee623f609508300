import { errorTable, exitCodes } from '../errors.ts';
import { settingTable } from './setting-table.ts';

/** Sections by heading: terms with their meaning, or lines, of which those with `$` are to be typed. */
export type HelpSubject = { summary: string; sections: Record<string, string | [string, string][]> };

const errors = Object.values(errorTable)
  .filter(({ exit }) => exit !== exitCodes.interrupted)
  .sort((a, b) => a.exit - b.exit);

/** Help pages on subjects that several commands share, by the word typed after `help`. */
export const subjects: Readonly<Record<string, HelpSubject>> = {
  recipes: {
    summary: 'questions, and the command line that answers each',
    sections: {
      RECIPES: `How did each group vote on the last motion of censure?
  $ hemicycle vote motion de censure --latest
Which ballots were decided by fewer than five votes?
  $ hemicycle ballots --margin 4 --sort margin
What did somebody promise on housing?
  $ hemicycle search "type:promise Bruyevre logement"
Who joined or left a party or group this year?
  $ hemicycle affiliations --since 2026-01-01
Which group dissents most?
  $ hemicycle cohesion --since 2025-11-01 --sort dissent
How often do two groups vote alike?
  $ hemicycle compare ADR PDV
How often does a group vote as the majority does?
  $ hemicycle compare ADR majority
Where did one group vote for, and another against?
  $ hemicycle ballots --voted ADR:for --voted UDC:against
In which ballots was a group torn?
  $ hemicycle ballots --dissent 30% --columns date,scrutin_id,title,result
Who sits for a party? For a spreadsheet
  $ hemicycle politicians --party ADR --format csv --columns full_name,current_role,party
What was said in the chamber in these very words?
  $ hemicycle search '"gardiens de phare"' --type speech
Which subjects have most promises and positions?
  $ hemicycle topics
What is new since the last sync?
  $ hemicycle changes --since last
What did a profile say before it was edited?
  $ hemicycle history politician oceane-bruyevre
How do I cite a ballot in an article?
  $ hemicycle cite AN:VAL1V4 --lang fr
A picture of a ballot to publish
  $ hemicycle vote VAL1V4 --svg -
Every vote of every group, for a French spreadsheet
  $ hemicycle export votes --since 2026-01-01 --excel-fr`,
      'TO TRY THEM':
        'The names are those of the fictional records that `hemicycle demo` makes; put your own in their place.',
    },
  },
  formats: {
    summary: 'how an answer is written: --format, --columns, --no-header',
    sections: {
      FORMATS: [
        ['table', 'for people: fitted to a terminal; in a pipe nothing is cut and nothing coloured'],
        ['json', 'one object: items or item, shown, total, next_cursor, origin, attribution (also --json)'],
        ['ndjson', 'a record on each line, whole; streams'],
        ['csv', 'rows, with a line of column names; streams; --no-header leaves that line out'],
        ['tsv', 'the same with tabs'],
        ['markdown', 'a table to paste into an article'],
        ['parquet', 'of export: for DuckDB, R, Python'],
      ],
      NOTES: `The data goes to stdout, all else to stderr. A value that the source does not state is empty, never 0.
An error is one JSON object on stderr with --json: {"error":{"code","message","hint","exit"}}.
export has more: --excel-fr, --spreadsheet-safe, --sqlite FILE, a data package with -o DIR/.`,
    },
  },
  'exit-codes': {
    summary: 'the exit codes of every command, which never change',
    sections: {
      'EXIT CODES': [
        ['0', 'done; a list that found nothing is done'],
        ...errors.map(({ code, exit, when }): [string, string] => [`${exit} ${code}`, when]),
        ['20', 'changes found (only with --exit-status)'],
        ['129 130 143', 'ended by SIGHUP, by Ctrl-C, by SIGTERM'],
      ],
    },
  },
  environment: {
    summary:
      'what the program takes from its environment; a flag beats it, and it beats `hemicycle config set`',
    sections: {
      SETTINGS: Object.values(settingTable).map(({ variable, description }) => [variable, description]),
      TERMINAL: [
        ['NO_COLOR', 'no colour, whatever its value'],
        ['FORCE_COLOR, CLICOLOR_FORCE', 'colour in a pipe too; 0 is no'],
        ['TERM=dumb', 'no colour, no line that moves, and no pager of its own accord'],
        ['COLUMNS', 'columns to lay answers out in, at a terminal and in a pipe; there nothing is cut'],
        ['ACCESSIBLE', '1: nothing moves, and nothing is told by colour or shape alone'],
        ['HEMICYCLE_PAGER, PAGER', 'what shows a long answer (less); empty or cat for none'],
        ['LESS, LV', 'options of the pager; FRX and -c where they are not set'],
        ['LC_ALL, LC_MESSAGES, LANG', 'the language of what people read: English or French'],
      ],
      'NETWORK AND FILES': [
        ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'the way to the service'],
        ['NODE_EXTRA_CA_CERTS', 'certificates to trust beside those of Node'],
        ['XDG_DATA_HOME', 'where the mirror lies'],
        ['XDG_CONFIG_HOME', 'where the settings lie'],
        ['XDG_CACHE_HOME', 'where compiled code lies'],
        ['SOURCE_DATE_EPOCH', 'the date that an export states'],
      ],
    },
  },
  offline: {
    summary: 'what works without a network, and what asks for one',
    sections: {
      OFFLINE: `Reading commands answer from the mirror, a file on this machine. With --source mirror they make no network call, ever; with auto, the default, they ask the service only for what the mirror has never held, and say so.
Only these use the network: sync, --source service, auto as above, serve --sync-every, and an embeddings service that you named. Nothing else leaves this machine: there is no telemetry, and no check for updates.`,
      EXAMPLES: `How old is what I have?
  $ hemicycle status
Refuse what is older than a day
  $ hemicycle ballots --max-age 1d --source mirror
Fill a mirror from files
  $ hemicycle import export/
The whole service, its pages and its API, on this machine
  $ hemicycle serve`,
    },
  },
  cron: {
    summary: 'running every night: what to type, and what to look at',
    sections: {
      'EVERY NIGHT': `What cron, systemd or launchd takes
  $ hemicycle schedule print --cron --at 04:30 -o /srv/hemicycle
By hand: quiet, with a report
  $ hemicycle sync --quiet --wait-lock 10m --report sync.json
Files that change only when the data does
  $ hemicycle export --all -o out/ --if-changed --quiet
Tell me only if something changed (exit 20)
  $ hemicycle changes --since last --exit-status`,
      'WHAT HOLDS':
        'Nothing asks a question where there is no terminal. Two runs never write to one mirror (exit 9). What was saved stays, whatever ends a run; the next one goes on. `hemicycle help exit-codes` says what ended it.',
    },
  },
  attribution: {
    summary: 'whom to cite, and under which terms',
    sections: {
      'WHERE IT STANDS': [
        ['table', 'the last line on stdout'],
        ['ndjson, csv, tsv', 'on stderr, so that the rows stay rows'],
        ['json', 'in attribution: text, name, url, licence, retrieved_at'],
        ['export', 'ATTRIBUTION.txt, LICENSE.txt and datapackage.json; FILE.meta.json; inside Parquet'],
      ],
      TERMS:
        'The text names the service and links it. Exports of datasets are under the ODbL 1.0, a chosen part of one too; the rest is free for non-commercial use. No other licence is stated on the service’s behalf.',
      EXAMPLES: `Set the address that is linked with
  $ hemicycle config set site-url https://service.example
One record, in an article or a bibliography
  $ hemicycle cite AN:VAL1V4 --style bibtex`,
    },
  },
  assistants: {
    summary: 'let an assistant ask the mirror (Model Context Protocol)',
    sections: {
      'ON THIS MACHINE': `What the assistant is to start
  $ hemicycle mcp
Its configuration, in JSON
  $ {"mcpServers":{"hemicycle":{"command":"hemicycle","args":["mcp"]}}}`,
      'OVER HTTP': `At http://127.0.0.1:8000/mcp
  $ hemicycle serve --mcp
From other machines with a viewer token
  $ hemicycle token create assistant`,
      'WHAT HOLDS':
        'Ten tools that only read. Every answer tells sources, attribution and its moment, and what it left out. What a source does not state is null; no tool judges anybody, or works out how a ballot ended.',
    },
  },
};

/** Words other than commands that `help` accepts. */
export const subjectNames: readonly string[] = ['flags', ...Object.keys(subjects)];
