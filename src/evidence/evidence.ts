import { UsageError } from '../errors.ts';
import { type Html, html, loneDocument } from '../format/html.ts';
import { escapeHidden } from '../format/sanitise.ts';
import { attributionPhrase } from '../model/attribution.ts';
import type { Json } from '../model/document.ts';
import type { FieldChange } from '../model/normal-form.ts';
import type { Capture } from '../service/capture.ts';
import { dataSize, type Speech, say } from '../words/speech.ts';
import { bagOf, maxZipBytes, type ZipEntry } from './bag.ts';
import {
  type EvidenceFacts,
  factsName,
  type GatheredFacts,
  maxFactBytes,
  type ProvenRecord,
  type ProvenVersion,
} from './facts.ts';
import { warcName, warcOf } from './warc.ts';

/** Creates evidence as a bag, the same for the same input; throws if it is too large. Null captures: not requested. */
export function createEvidence(gathered: GatheredFacts, captures: readonly Capture[] | null, speech: Speech) {
  const { made_at: madeAt, program } = gathered.facts;
  const software = `Hemicycle/${program.version}`;
  const warc = captures && warcOf(captures, { software, madeAt });
  const facts: EvidenceFacts = { ...gathered.facts, ...(warc && { captures: warc.facts }) };
  const factBytes = Buffer.from(`${escapeHidden(JSON.stringify(facts, null, 2))}\n`);
  refuseLarger(maxFactBytes, factBytes.length);
  const payload: ZipEntry[] = [
    ...gathered.files,
    ...(warc ? [{ path: warcName, bytes: warc.bytes }] : []),
    { path: factsName, bytes: factBytes },
    { path: 'data/index.html', bytes: Buffer.from(evidencePage(facts, captures, speech).text) },
  ];
  refuseLarger(
    maxZipBytes / 2,
    payload.reduce((sum, { bytes }) => sum + bytes.length, 0),
  );
  return { facts, entries: bagOf(payload, { software, day: madeAt.slice(0, 10) }) };
}

function refuseLarger(most: number, bytes: number): void {
  if (bytes <= most) return;
  const hint = say`split it into several files`;
  throw new UsageError(say`evidence of these records exceeds ${dataSize(most)}`, hint);
}

const maxShown = 2000;

const style = `
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; color: #1a1a1a; background: #fff }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #ccc }
code, pre, del, ins { overflow-wrap: anywhere; white-space: pre-wrap }
pre { background: #f4f4f4; padding: .75rem }
`;

/** Evidence as a self-contained page: no scripts, and links only to files beside it. */
function evidencePage(facts: EvidenceFacts, captures: readonly Capture[] | null, speech: Speech): Html {
  const [first, ...otherTitles] = facts.records.map((record) => record.title);
  const title =
    otherTitles.length === 0
      ? speech.say`Evidence: ${first}`
      : speech.say`Evidence: ${speech.count(facts.records.length, 'record')}`;
  const body = html`<h1>${title}</h1>
<p>${speech.say`Made on ${speech.moment(facts.made_at)} with Hemicycle ${facts.program.version}, from a mirror of ${facts.attribution.name}.`}${facts.as_of !== null && html` <strong>${speech.say`As that mirror had seen it by ${speech.moment(facts.as_of)}.`}</strong>`}</p>
<p>${speech.render(attributionPhrase(facts.attribution))}</p>
${facts.records.map((record) => recordPart(record, speech))}
${datasetsPart(facts, speech)}
${captures !== null && capturesPart(captures, facts, speech)}
${limitsPart(captures !== null, speech)}
${checkingPart(speech)}`;
  return loneDocument({ language: speech.language, title, style, body });
}

function recordPart(record: ProvenRecord, speech: Speech): Html {
  const { kind, key, former_key, title, url, first_seen, last_seen, withdrawn, versions, sources } = record;
  const facts: [string, string | Html | null][] = [
    [speech.say`Record`, html`<code>${kind}:${key}</code>`],
    [speech.say`Listed before as`, former_key],
    [speech.say`Address`, url],
    [speech.say`First seen`, momentOf(first_seen, speech)],
    [speech.say`Last seen`, last_seen === null ? null : momentOf(last_seen, speech)],
    [speech.say`Seen to be withdrawn`, withdrawn === null ? null : momentOf(withdrawn, speech)],
  ];
  return html`<section>
<h2>${title}</h2>
<table>${facts.map(([name, value]) => value !== null && html`<tr><th scope="row">${name}</th><td>${value}</td></tr>\n`)}</table>
<h3>${speech.say`What this mirror saw, the oldest first`}</h3>
${versions.map((version) => versionPart(version, speech))}
<h3>${speech.say`Its sources, as the record names them`}</h3>
${
  sources.length === 0
    ? html`<p>${speech.say`None is named.`}</p>`
    : html`<ul>${sources.map(({ id, ...source }) => html`<li>${[source.title, source.publisher, source.date, source.url].filter((part) => part !== null).join(' · ') || id}</li>\n`)}</ul>`
}
</section>
`;
}

function versionPart(version: ProvenVersion, speech: Speech): Html {
  const { file, part, seen_from, seen_to, ended_by, bytes, sha256, changes } = version;
  const what = part === 'row' ? speech.say`Its row of the dataset` : speech.say`Its full document`;
  const ends = {
    withdrawn: speech.say`withdrawn`,
    edited: speech.say`replaced by another version`,
  };
  return html`<h4>${what}: ${speech.moment(seen_from)}</h4>
<table>
<tr><th scope="row">${speech.say`Seen from`}</th><td>${momentOf(seen_from, speech)}</td></tr>
<tr><th scope="row">${speech.say`Until`}</th><td>${seen_to === null ? speech.say`it still stood` : html`${momentOf(seen_to, speech)}, ${ended_by && ends[ended_by]}`}</td></tr>
<tr><th scope="row">${speech.say`File`}</th><td><a href="${file.replace(/^data\//, '')}">${file}</a>, ${speech.bytes(bytes)}</td></tr>
<tr><th scope="row">SHA-256</th><td><code>${sha256}</code></td></tr>
</table>
${
  changes.length > 0 &&
  html`<table><tr><th scope="col">${speech.say`Field`}</th><th scope="col">${speech.say`Before`}</th><th scope="col">${speech.say`After`}</th></tr>
${changes.map((change) => changeRow(change, speech))}</table>
`
}`;
}

function changeRow({ field, old, new: next }: FieldChange, speech: Speech): Html {
  return html`<tr><th scope="row"><code>${field}</code></th><td>${old !== null && html`<del>${valueText(old, speech)}</del>`}</td><td>${next !== null && html`<ins>${valueText(next, speech)}</ins>`}</td></tr>\n`;
}

function valueText(value: Json, speech: Speech): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= maxShown ? text : speech.say`${text.slice(0, maxShown)}… (the file has all of it)`;
}

function momentOf(iso: string, speech: Speech): Html {
  return html`<time datetime="${iso}">${speech.moment(iso)}</time> (<code>${iso}</code>)`;
}

function datasetsPart({ datasets }: EvidenceFacts, speech: Speech): Html {
  if (datasets.length === 0)
    return html`<h2>${speech.say`What the service sent`}</h2>
<p>${speech.say`None of these records came in a dataset.`}</p>
`;
  return html`<h2>${speech.say`What the service sent`}</h2>
<p>${speech.say`The last download of each dataset. Its bytes are not kept, its SHA-256 is: another copy of the same file has it too.`}</p>
<table><tr><th scope="col">${speech.say`Dataset`}</th><th scope="col">${speech.say`Retrieved`}</th><th scope="col">${speech.say`Rows`}</th><th scope="col">SHA-256</th></tr>
${datasets.map(({ kind, rows, sha256, retrieved_at: at }) => html`<tr><td>${speech.word(kind)}</td><td>${momentOf(at, speech)}</td><td>${speech.count(rows, 'row')}</td><td><code>${sha256}</code></td></tr>\n`)}</table>
`;
}

function capturesPart(captures: readonly Capture[], facts: EvidenceFacts, speech: Speech): Html {
  const { as_of: asOf, captures: captureFacts } = facts;
  const heading = html`<h2>${speech.say`What the addresses answered`}</h2>`;
  if (captures.length === 0) return html`${heading}\n<p>${speech.say`These records name no web address.`}</p>\n`;
  const row = ({ address, at, answer, redirectsTo, reason }: Capture, index: number) =>
    html`<tr><td><code>${address}</code></td><td>${at && momentOf(at, speech)}</td><td>${answer && `${answer.status} ${answer.type ?? ''}`} ${redirectsTo && speech.say`redirects to ${redirectsTo}`} ${reason && speech.render(reason)}</td><td>${answer && html`${speech.bytes(answer.body.length)}, <code>${captureFacts![index]!.sha256}</code>`}</td></tr>\n`;
  return html`${heading}
<p>${speech.say`Each address of a record and of its sources was asked once, and each that it redirected to.`}${asOf !== null && html` <strong>${speech.say`The answers are of the day of making, not of the moment that the records are shown of.`}</strong>`}</p>
<p>${speech.say`Their bytes and headers are in this file (WARC 1.1, ISO 28500), which programs of web archives open:`} <a href="${warcName.replace(/^data\//, '')}">${warcName}</a></p>
<table><tr><th scope="col">${speech.say`Address`}</th><th scope="col">${speech.say`Asked`}</th><th scope="col">${speech.say`Answer`}</th><th scope="col">${speech.say`Size`}, SHA-256</th></tr>
${captures.map(row)}</table>
`;
}

function limitsPart(isCaptured: boolean, speech: Speech): Html {
  const limits = [
    speech.say`The moments are those at which this mirror saw a version, by the clock of its machine. When something changed at the service it does not know.`,
    speech.say`A version is the text that the mirror keeps: the record as JSON, written by the mirror once it had read the answer, or the line of a file that was imported. The bytes of the answer itself are not kept: spaces and the spelling of numbers may differ, and a record of a dataset came as a row of CSV or Parquet.`,
    speech.say`The service signed nothing of this. Who can write to the mirror could have changed what it holds before this was made, and who made this could make another one.`,
    speech.say`The date of making is the maker’s word alone.`,
    ...(isCaptured ? captureLimits.map(speech.render) : []),
  ];
  return html`<h2>${speech.say`What this does not show`}</h2>
<ul>${limits.map((text) => html`<li>${text}</li>\n`)}</ul>
`;
}

const captureLimits = [
  say`An answer is what one address sent to the maker, once, without cookies. Others may have been sent something else: by country, by login, or a minute later.`,
  say`Only the pages themselves were asked for: without their pictures, styles and scripts. What a script would have shown is missing.`,
  say`A source may have changed since the record named it. The answer does not show what stood there then, nor that it bears the record out.`,
  say`Nobody signed the answers. That they came from these addresses is the maker’s word.`,
];

function checkingPart(speech: Speech): Html {
  const sums = 'unzip FILE.zip\ncd evidence\nsha256sum -c manifest-sha256.txt\nsha256sum -c tagmanifest-sha256.txt';
  return html`<h2>${speech.say`How to check it`}</h2>
<p>${speech.say`The file is a bag (BagIt 1.0, RFC 8493) in a ZIP file. With unzip and sha256sum, every file against its sum:`}</p>
<pre>${sums}</pre>
<p>${speech.say`With Hemicycle, on any machine, every byte of the file:`}</p>
<pre>hemicycle evidence verify FILE.zip</pre>
`;
}
