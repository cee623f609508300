import { errorTable, exitCodes } from '../errors.ts';
import type { HelpItem, HelpPage } from './help-page.ts';
import { recipes } from './recipes.ts';
import { settingTable } from './setting-table.ts';

/** Help pages on subjects that several commands share, by the word typed after `help`. */
const subjects: Record<string, () => HelpPage> = {
  recipes: recipesPage,
  formats: formatsPage,
  'exit-codes': exitCodesPage,
  environment: environmentPage,
  offline: offlinePage,
  cron: cronPage,
  attribution: attributionPage,
  assistants: assistantsPage,
};

/** Words other than commands that `help` accepts. */
export const subjectNames: readonly string[] = ['flags', ...Object.keys(subjects)];

/** The help page on a subject; null for an unknown one. */
export function subjectPage(name: string): HelpPage | null {
  return Object.hasOwn(subjects, name) ? subjects[name]!() : null;
}

function recipesPage(): HelpPage {
  return {
    summary: 'questions, and the command line that answers each',
    sections: [
      {
        heading: 'RECIPES',
        items: recipes.map(({ question, command }) => ({ text: question, command: `hemicycle ${command}` })),
      },
      {
        heading: 'TO TRY THEM',
        items: [
          {
            text: 'The names are those of the fictional records that `hemicycle demo` makes; put your own in their place.',
          },
        ],
      },
    ],
  };
}

function formatsPage(): HelpPage {
  return {
    summary: 'how an answer is written: --format, --columns, --no-header',
    sections: [
      {
        heading: 'FORMATS',
        items: [
          {
            term: 'table',
            text: 'for people: fitted to a terminal; in a pipe nothing is cut and nothing coloured',
          },
          {
            term: 'json',
            text: 'one object: items or item, shown, total, next_cursor, origin, attribution (also --json)',
          },
          { term: 'ndjson', text: 'a record on each line, whole; streams' },
          {
            term: 'csv',
            text: 'rows, with a line of column names; streams; --no-header leaves that line out',
          },
          { term: 'tsv', text: 'the same with tabs' },
          { term: 'markdown', text: 'a table to paste into an article' },
          { term: 'parquet', text: 'of export: for DuckDB, R, Python' },
        ],
      },
      {
        heading: 'NOTES',
        items: [
          {
            text: 'The data goes to stdout, all else to stderr. A value that the source does not state is empty, never 0.',
          },
          {
            text: 'An error is one JSON object on stderr with --json: {"error":{"code","message","hint","exit"}}.',
          },
          {
            text: 'export has more: --excel-fr, --spreadsheet-safe, --sqlite FILE, a data package with -o DIR/.',
          },
        ],
      },
    ],
  };
}

function exitCodesPage(): HelpPage {
  const errors = Object.values(errorTable).filter(({ exit }) => exit !== exitCodes.interrupted);
  const items: (HelpItem & { term: string })[] = [
    { term: '0', text: 'done; a list that found nothing is done' },
    ...errors
      .map(({ code, exit, when }) => ({ term: `${exit} ${code}`, text: when }))
      .sort((a, b) => Number.parseInt(a.term, 10) - Number.parseInt(b.term, 10)),
    { term: '20', text: 'changes found (only with --exit-status)' },
    { term: '129 130 143', text: 'ended by SIGHUP, by Ctrl-C, by SIGTERM' },
  ];
  return {
    summary: 'the exit codes of every command, which never change',
    sections: [{ heading: 'EXIT CODES', items }],
  };
}

function environmentPage(): HelpPage {
  return {
    summary:
      'what the program takes from its environment; a flag beats it, and it beats `hemicycle config set`',
    sections: [
      {
        heading: 'SETTINGS',
        items: Object.values(settingTable).map(({ variable, description }) => ({
          term: variable,
          text: description,
        })),
      },
      {
        heading: 'TERMINAL',
        items: [
          { term: 'NO_COLOR', text: 'no colour, whatever its value' },
          { term: 'FORCE_COLOR, CLICOLOR_FORCE', text: 'colour in a pipe too; 0 is no' },
          { term: 'TERM=dumb', text: 'no colour, no line that moves, and no pager of its own accord' },
          {
            term: 'COLUMNS',
            text: 'columns to lay answers out in, at a terminal and in a pipe; there nothing is cut',
          },
          { term: 'ACCESSIBLE', text: '1: nothing moves, and nothing is told by colour or shape alone' },
          { term: 'HEMICYCLE_PAGER, PAGER', text: 'what shows a long answer (less); empty or cat for none' },
          { term: 'LESS, LV', text: 'options of the pager; FRX and -c where they are not set' },
          { term: 'LC_ALL, LC_MESSAGES, LANG', text: 'the language of what people read: English or French' },
        ],
      },
      {
        heading: 'NETWORK AND FILES',
        items: [
          { term: 'HTTPS_PROXY, HTTP_PROXY, NO_PROXY', text: 'the way to the service' },
          { term: 'NODE_EXTRA_CA_CERTS', text: 'certificates to trust beside those of Node' },
          {
            term: 'XDG_DATA_HOME, XDG_CONFIG_HOME, XDG_CACHE_HOME',
            text: 'where the mirror, the settings and compiled code lie',
          },
          { term: 'SOURCE_DATE_EPOCH', text: 'the date that an export states' },
        ],
      },
    ],
  };
}

function offlinePage(): HelpPage {
  return {
    summary: 'what works without a network, and what asks for one',
    sections: [
      {
        heading: 'OFFLINE',
        items: [
          {
            text: 'Reading commands answer from the mirror, a file on this machine. With --source mirror they make no network call, ever; with auto, the default, they ask the service only for what the mirror has never held, and say so.',
          },
          {
            text: 'Only these use the network: sync, --source service, auto as above, serve --sync-every, and an embeddings service that you named. Nothing else leaves this machine: there is no telemetry, and no check for updates.',
          },
        ],
      },
      {
        heading: 'EXAMPLES',
        items: [
          { text: 'How old is what I have?', command: 'hemicycle status' },
          {
            text: 'Refuse what is older than a day',
            command: 'hemicycle ballots --max-age 1d --source mirror',
          },
          { text: 'Fill a mirror from files', command: 'hemicycle import export/' },
          { text: 'The whole service, its pages and its API, on this machine', command: 'hemicycle serve' },
        ],
      },
    ],
  };
}

function cronPage(): HelpPage {
  return {
    summary: 'running every night: what to type, and what to look at',
    sections: [
      {
        heading: 'EVERY NIGHT',
        items: [
          {
            text: 'What cron, systemd or launchd takes',
            command: 'hemicycle schedule print --cron --at 04:30 -o /srv/hemicycle',
          },
          {
            text: 'By hand: quiet, with a report',
            command: 'hemicycle sync --quiet --wait-lock 10m --report sync.json',
          },
          {
            text: 'Files that change only when the data does',
            command: 'hemicycle export --all -o out/ --if-changed --quiet',
          },
          {
            text: 'Tell me only if something changed (exit 20)',
            command: 'hemicycle changes --since last --exit-status',
          },
        ],
      },
      {
        heading: 'WHAT HOLDS',
        items: [
          {
            text: 'Nothing asks a question where there is no terminal. Two runs never write to one mirror (exit 9). What was saved stays, whatever ends a run; the next one goes on. `hemicycle help exit-codes` says what ended it.',
          },
        ],
      },
    ],
  };
}

function attributionPage(): HelpPage {
  return {
    summary: 'whom to cite, and under which terms',
    sections: [
      {
        heading: 'WHERE IT STANDS',
        items: [
          { term: 'table', text: 'the last line on stdout' },
          { term: 'ndjson, csv, tsv', text: 'on stderr, so that the rows stay rows' },
          { term: 'json', text: 'in attribution: text, name, url, licence, retrieved_at' },
          {
            term: 'export',
            text: 'ATTRIBUTION.txt, LICENSE.txt and datapackage.json; FILE.meta.json; inside Parquet',
          },
        ],
      },
      {
        heading: 'TERMS',
        items: [
          {
            text: 'The text names the service and links it. Exports of datasets are under the ODbL 1.0, a chosen part of one too; the rest is free for non-commercial use. No other licence is stated on the service’s behalf.',
          },
          {
            text: 'Set the address that is linked with',
            command: 'hemicycle config set site-url https://service.example',
          },
          {
            text: 'One record, in an article or a bibliography',
            command: 'hemicycle cite AN:VAL1V4 --style bibtex',
          },
        ],
      },
    ],
  };
}

function assistantsPage(): HelpPage {
  return {
    summary: 'let an assistant ask the mirror (Model Context Protocol)',
    sections: [
      {
        heading: 'ON THIS MACHINE',
        items: [
          { text: 'What the assistant is to start', command: 'hemicycle mcp' },
          {
            text: 'Its configuration, in JSON',
            command: '{"mcpServers":{"hemicycle":{"command":"hemicycle","args":["mcp"]}}}',
          },
        ],
      },
      {
        heading: 'OVER HTTP',
        items: [
          { text: 'At http://127.0.0.1:8000/mcp', command: 'hemicycle serve --mcp' },
          { text: 'From other machines with a viewer token', command: 'hemicycle token create assistant' },
        ],
      },
      {
        heading: 'WHAT HOLDS',
        items: [
          {
            text: 'Ten tools that only read. Every answer tells sources, attribution and its moment, and what it left out. What a source does not state is null; no tool judges anybody, or works out how a ballot ended.',
          },
        ],
      },
    ],
  };
}
