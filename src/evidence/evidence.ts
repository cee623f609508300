import { UsageError } from '../errors.ts';
import { type Html, html, standaloneDocument } from '../format/html.ts';
import { escapeHidden } from '../format/sanitise.ts';
import { attributionPhrase } from '../model/attribution.ts';
import type { Json } from '../model/document.ts';
import type { Capture } from '../service/capture.ts';
import { dataSize, type Speech, say } from '../words/speech.ts';
import { createBag, maxZipBytes, type ZipEntry } from './bag.ts';
import {
  type EvidenceFacts,
  type EvidenceRecord,
  type EvidenceVersion,
  factsName,
  type GatheredFacts,
  maxFactBytes,
} from './facts.ts';
import { createWarc, warcName } from './warc.ts';

/** Creates a bag with facts, versions, captures (null: not requested) and a page; throws a UsageError if too large. */
export function createEvidence(gatheredFacts: GatheredFacts, captures: readonly Capture[] | null, speech: Speech) {
  const { made_at: madeAt, program } = gatheredFacts.facts;
  const software = `Hemicycle/${program.version}`;
  const warc = captures && createWarc(captures, { software, madeAt });
  const facts: EvidenceFacts = { ...gatheredFacts.facts, ...(warc && { captures: warc.facts }) };
  const factBytes = Buffer.from(`${escapeHidden(JSON.stringify(facts, null, 2))}\n`);
  refuseTooLarge(factBytes.length, maxFactBytes);
  const payload: ZipEntry[] = [
    ...gatheredFacts.files,
    ...(warc ? [{ path: warcName, bytes: warc.bytes }] : []),
    { path: factsName, bytes: factBytes },
    { path: 'data/index.html', bytes: Buffer.from(evidencePage(facts, captures, speech).text) },
  ];
  const payloadBytes = payload.reduce((sum, { bytes }) => sum + bytes.length, 0);
  refuseTooLarge(payloadBytes, maxZipBytes / 2); // a wide margin: verification refuses a ZIP over `maxZipBytes`
  return { facts, entries: createBag(payload, { software, day: madeAt.slice(0, 10) }) };
}

function refuseTooLarge(bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  throw new UsageError(say`evidence of these records exceeds ${dataSize(maxBytes)}`, say`split it into several files`);
}

const maxValueChars = 2000; // of a field's value on the page

/** The evidence as a page without scripts, with links only to files in the bag. */
function evidencePage(facts: EvidenceFacts, captures: readonly Capture[] | null, speech: Speech): Html {
  const [first, ...otherTitles] = facts.records.map((record) => record.title);
  const title =
    otherTitles.length === 0
      ? speech.say`Evidence: ${first}`
      : speech.say`Evidence: ${speech.count(facts.records.length, 'record')}`;
  const body = html`<h1>${title}</h1>
<p>${speech.say`Made on ${speech.moment(facts.made_at)} with Hemicycle ${facts.program.version}, from a mirror of ${facts.attribution.name}.`}${facts.as_of !== null && html` <strong>${speech.say`State of that mirror at ${speech.moment(facts.as_of)}.`}</strong>`}</p>
<p>${speech.render(attributionPhrase(facts.attribution))}</p>
${facts.records.map((record) => recordSection(record, speech))}
${datasetsSection(facts, speech)}
${captures !== null && capturesSection(captures, facts, speech)}
${limitsSection(captures === null ? 'file' : 'captures', speech)}
${verificationSection(speech)}`;
  return standaloneDocument({ language: speech.language, title, body });
}

function recordSection(record: EvidenceRecord, speech: Speech): Html {
  const { kind, key, former_key, title, url, first_seen, last_seen, withdrawn, versions, sources } = record;
  const facts: [string, string | Html | null][] = [
    [speech.say`Record`, html`<code>${kind}:${key}</code>`],
    [speech.say`Listed before as`, former_key],
    [speech.say`Address`, url],
    [speech.say`First received`, momentHtml(first_seen, speech)],
    [speech.say`Last received`, last_seen === null ? null : momentHtml(last_seen, speech)],
    [speech.say`Withdrawal detected`, withdrawn === null ? null : momentHtml(withdrawn, speech)],
  ];
  return html`<section>
<h2>${title}</h2>
<table>${facts.map(([name, value]) => value !== null && html`<tr><th scope="row">${name}</th><td>${value}</td></tr>\n`)}</table>
<h3>${speech.say`Versions received by this mirror, oldest first`}</h3>
${versions.map((version) => versionSection(version, speech))}
<h3>${speech.say`Sources named by the record`}</h3>
${
  sources.length === 0
    ? html`<p>${speech.say`None is named.`}</p>`
    : html`<ul>${sources.map(({ id, ...source }) => html`<li>${[source.title, source.publisher, source.date, source.url].filter((part) => part !== null).join(' · ') || id}</li>\n`)}</ul>`
}
</section>
`;
}

function versionSection(version: EvidenceVersion, speech: Speech): Html {
  const { file, part, seen_from, seen_to, ended_by, bytes, sha256, changes } = version;
  const partName = part === 'row' ? speech.say`Its row of the dataset` : speech.say`Its full document`;
  const ends = { withdrawn: speech.say`withdrawn`, edited: speech.say`replaced by another version` };
  return html`<h4>${speech.say`${partName}: ${speech.moment(seen_from)}`}</h4>
<table>
<tr><th scope="row">${speech.say`Seen from`}</th><td>${momentHtml(seen_from, speech)}</td></tr>
<tr><th scope="row">${speech.say`Until`}</th><td>${seen_to === null ? speech.say`it was still current` : html`${momentHtml(seen_to, speech)}, ${ended_by && ends[ended_by]}`}</td></tr>
<tr><th scope="row">${speech.say`File`}</th><td><a href="${file.replace(/^data\//, '')}">${file}</a>, ${speech.bytes(bytes)}</td></tr>
<tr><th scope="row">SHA-256</th><td><code>${sha256}</code></td></tr>
</table>
${
  changes.length > 0 &&
  html`<table><tr><th scope="col">${speech.say`Field`}</th><th scope="col">${speech.say`Before`}</th><th scope="col">${speech.say`After`}</th></tr>
${changes.map(({ field, old, new: next }) => html`<tr><th scope="row"><code>${field}</code></th><td>${old !== null && html`<del>${valueText(old, speech)}</del>`}</td><td>${next !== null && html`<ins>${valueText(next, speech)}</ins>`}</td></tr>\n`)}</table>
`
}`;
}

function valueText(value: Json, speech: Speech): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= maxValueChars ? text : speech.say`${text.slice(0, maxValueChars)}… (complete in the file)`;
}

function momentHtml(iso: string, speech: Speech): Html {
  return html`<time datetime="${iso}">${speech.moment(iso)}</time> (<code>${iso}</code>)`;
}

/** Section of a page: the latest downloads of the records' datasets, with their hashes. */
export function datasetsSection({ datasets }: EvidenceFacts, speech: Speech): Html {
  const heading = html`<h2>${speech.say`What the service sent`}</h2>`;
  if (datasets.length === 0)
    return html`${heading}\n<p>${speech.say`None of these records is part of a dataset.`}</p>\n`;
  return html`${heading}
<p>${speech.say`The latest download of each dataset. Only its SHA-256 is stored, not its bytes: another copy of the same file has the same hash.`}</p>
<table><tr><th scope="col">${speech.say`Dataset`}</th><th scope="col">${speech.say`Retrieved`}</th><th scope="col">${speech.say`Rows`}</th><th scope="col">SHA-256</th></tr>
${datasets.map(({ kind, rows, sha256, retrieved_at: at }) => html`<tr><td>${speech.word(kind)}</td><td>${momentHtml(at, speech)}</td><td>${speech.count(rows, 'row')}</td><td><code>${sha256}</code></td></tr>\n`)}</table>
`;
}

function capturesSection(captures: readonly Capture[], facts: EvidenceFacts, speech: Speech): Html {
  const { as_of: asOf, captures: captureFacts } = facts;
  const heading = html`<h2>${speech.say`Responses of the URLs`}</h2>`;
  if (captures.length === 0) return html`${heading}\n<p>${speech.say`These records contain no URL.`}</p>\n`;
  const row = ({ address, at, response, redirectsTo, reason }: Capture, index: number) =>
    html`<tr><td><code>${address}</code></td><td>${at && momentHtml(at, speech)}</td><td>${response && `${response.status} ${response.type ?? ''}`} ${redirectsTo && speech.say`redirects to ${redirectsTo}`} ${reason && speech.render(reason)}</td><td>${response && html`${speech.bytes(response.body.length)}, <code>${captureFacts![index]!.sha256}</code>`}</td></tr>\n`;
  return html`${heading}
<p>${speech.say`Each URL of a record and of its sources was requested once, including redirects.`}${asOf !== null && html` <strong>${speech.say`The responses are from the creation date of this file, not from the date of the records.`}</strong>`}</p>
<p>${speech.say`Their bytes and headers are in this file (WARC 1.1, ISO 28500), readable with web archive software:`} <a href="${warcName.replace(/^data\//, '')}">${warcName}</a></p>
<table><tr><th scope="col">${speech.say`Address`}</th><th scope="col">${speech.say`Requested`}</th><th scope="col">${speech.say`Response`}</th><th scope="col">${speech.say`Size`}, SHA-256</th></tr>
${captures.map(row)}</table>
`;
}

/** Section on the limits of evidence; `form`: a page of versions, a file, or a file with captured responses. */
export function limitsSection(form: 'page' | 'file' | 'captures', speech: Speech): Html {
  const limits = [
    speech.say`Times are those at which this mirror received a version, by the clock of its machine. It does not know when the service made a change.`,
    speech.say`A version is the text that the mirror stores: the record as JSON, or the line of an imported file. The bytes of the response are not stored: spaces and the notation of numbers may differ, and dataset records were received as rows of CSV or Parquet.`,
    speech.say`The service did not sign any of this. A person with write access to the mirror could have changed it.`,
    form !== 'page' &&
      speech.say`The author of this file could create a different one, and alone states its creation date.`,
    ...(form === 'captures' ? captureLimits.map(speech.render) : []),
  ];
  return html`<h2>${speech.say`What this does not prove`}</h2>
<ul>${limits.map((text) => text && html`<li>${text}</li>\n`)}</ul>
`;
}

const captureLimits = [
  say`A response is what a URL sent to the author, once, without cookies. Other people may receive something else, depending on country, login or time.`,
  say`Only the pages were requested, without pictures, styles and scripts. Content loaded by scripts is missing.`,
  say`A source may have changed since the record was made. The response does not prove its earlier content, or that it supports the record.`,
  say`The responses are not signed. Only the author states that they came from these URLs.`,
];

function verificationSection(speech: Speech): Html {
  const commands = 'unzip FILE.zip\ncd evidence\nsha256sum -c manifest-sha256.txt\nsha256sum -c tagmanifest-sha256.txt';
  return html`<h2>${speech.say`How to check it`}</h2>
<p>${speech.say`The file is a BagIt 1.0 bag (RFC 8493) in a ZIP file. To check every file with unzip and sha256sum:`}</p>
<pre>${commands}</pre>
<p>${speech.say`To check every byte with Hemicycle, on any machine:`}</p>
<pre>hemicycle evidence verify FILE.zip</pre>
`;
}
