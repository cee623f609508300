import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { csvFormat } from '../../../src/format/csv.ts';
import type { Document } from '../../../src/model/document.ts';
import type { Mirror } from '../../../src/store/mirror.ts';
import { openWritableMirror } from '../../../src/store/open.ts';
import { dialects } from '../../helpers/dialects.ts';
import { type FakeService, startFakeService } from '../../helpers/fake-service.ts';
import { anyFault, type FaultRow } from '../../helpers/faults.ts';
import { isLong } from '../../helpers/random.ts';
import { type createTemporaryMirror, syncOnce, wholeScope } from '../../helpers/sync-run.ts';

/** Where a sync can be met by a fault; one format of a dataset that cannot be read is replaced by the other. */
const stages: { name: string; path: RegExp; fallsBack?: boolean }[] = [
  { name: 'one format of a dataset', path: /entity=politicians&format=parquet/, fallsBack: true },
  { name: 'both formats of a dataset', path: /entity=promises/ },
  { name: 'the profile of a party', path: /^\/parties\/[^?]+/ },
  { name: 'the list of updated profiles', path: /^\/politicians\?/ },
  { name: 'the profile of a politician', path: /^\/politicians\/[^?]+/ },
  { name: 'the first page of the feed', path: /^\/feed\?(?!.*cursor=)/ },
  { name: 'a later page of the feed', path: /^\/feed\?.*cursor=/ },
  { name: 'the moderation log', path: /^\/audit/ },
  { name: 'a ballot', path: /^\/votes\/VAL1V12/ },
];

const scope = {
  ...wholeScope,
  ballots: ['VAL1V1', 'VAL1V2', 'VAL1V3', 'VAL1V12'].map((scrutinId) => ({
    chamber: 'AN' as const,
    scrutinId,
  })),
};

/** What the service says on the second day: something for every stage to do. */
function moveOn(service: FakeService): void {
  const { parties, politicians, promises, content, audit } = service.records;
  parties![0]!.description = 'Une autre description.';
  politicians![1]!.bio = 'Une autre biographie.';
  politicians![1]!.updated_at = '2026-12-01';
  promises!.splice(3, 1);
  promises![0]!.title = 'Autrement dit';
  const [first] = content!;
  for (let n = 0; n < 60; n += 1) content!.push({ ...first!, id: `neuf-${n}`, date: `2027-01-${10 + (n % 20)}` });
  audit!.push({ ...audit![0]!, id: 'audit-neuf', date: '2027-01-01T00:00:00Z' });
}

/** Every record with its hashes, and how many versions there are. */
function stateOf(mirror: Mirror): { records: Record<string, string>; versions: number } {
  const rows = mirror.database
    .prepare("SELECT kind || ' ' || key AS name, hash, detail_hash, withdrawn IS NULL AS stands FROM record")
    .all() as { name: string; hash: string; detail_hash: string | null; stands: number }[];
  const versions = mirror.database.prepare('SELECT count(*) FROM version').pluck().get() as number;
  const states = rows.map(({ name, hash, detail_hash, stands }) => [name, `${stands} ${hash} ${detail_hash}`]);
  return { records: Object.fromEntries(states), versions };
}

describe('a sync that meets a fault', () => {
  let service: FakeService;
  let folder: string;
  let earlier: ReturnType<typeof stateOf>;
  let later: ReturnType<typeof stateOf>;

  before(async () => {
    service = await startFakeService(dialects[0]!);
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
    const first = openWritableMirror(join(folder, 'first.db'));
    const own = { mirror: first, folder };
    const ballots = scope.ballots.slice(0, 1);
    const { report } = await syncOnce(own, service.baseUrl, {
      scope: { ...scope, ballots },
    });
    expect(report.exit).to.equal(0);
    earlier = stateOf(first);
    first.close();
    moveOn(service);
    const undisturbed = copyOf('undisturbed');
    const second = await syncOnce(undisturbed, service.baseUrl, { scope });
    expect(second.report.exit).to.equal(0);
    later = stateOf(undisturbed.mirror);
    undisturbed.remove();
  });
  after(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function copyOf(name: string): ReturnType<typeof createTemporaryMirror> {
    const path = join(folder, `${name}.db`);
    copyFileSync(join(folder, 'first.db'), path);
    const mirror = openWritableMirror(path);
    return { mirror, folder, remove: () => mirror.close() };
  }

  /** What must hold after a sync that failed: the file is sound, and each record says what it said or what is said now. */
  function expectSound(mirror: Mirror): void {
    expect(mirror.database.pragma('integrity_check', { simple: true })).to.equal('ok');
    const current = stateOf(mirror);
    for (const [name, earlierState] of Object.entries(earlier.records)) {
      const parts = [earlier.records[name]!, later.records[name]!].map((text) => text.split(' '));
      const [stands, hash, detailHash] = earlierState.split(' ');
      expect(current.records[name], name).to.not.equal(undefined);
      const [heldStands, heldHash, heldDetail] = current.records[name]!.split(' ');
      expect(
        parts.map(([each]) => each),
        name,
      ).to.include(heldStands ?? stands);
      expect(
        parts.map(([, each]) => each),
        name,
      ).to.include(heldHash ?? hash);
      expect(
        parts.map(([, , each]) => each),
        name,
      ).to.include(heldDetail ?? detailHash);
    }
    expect(current.versions).to.be.at.most(later.versions);
  }

  async function meet(fault: FaultRow, path: RegExp, exit: number): Promise<void> {
    const own = copyOf('met');
    service.faults = [{ path, times: fault.times, answer: fault.answer }];
    const result = await syncOnce(own, service.baseUrl, {
      scope,
      token: 'secret',
      ...(fault.limits ? { limits: fault.limits } : {}),
    });
    const wasMet = service.faults.length === 0 || service.faults[0]!.times! < fault.times;
    service.faults = [];
    expect(wasMet, 'the fault was met').to.equal(true);
    expect(result.report.exit, String(result.error)).to.equal(exit);
    expect(result.report.errors.length > 0).to.equal(exit !== 0);
    expect(JSON.stringify(result.report)).not.to.include('secret');
    expectSound(own.mirror);
    const again = await syncOnce(own, service.baseUrl, { scope });
    expect(again.report.exit, String(again.error)).to.equal(0);
    expect(stateOf(own.mirror)).to.deep.equal(later);
    own.remove();
  }

  for (const [row, stage] of stages.entries()) {
    // Every fault is met at one stage and every stage by some fault; all pairs of them in a long run.
    for (const fault of anyFault.filter((_, column) => isLong || column % stages.length === row)) {
      const exit = stage.fallsBack && !fault.isOfService ? 0 : fault.exit;
      const times =
        stage.name === 'both formats of a dataset' && fault.exit !== 0 && !fault.isOfService
          ? Math.max(2, fault.times)
          : fault.times;
      it(`ends with exit ${exit} when ${stage.name} is answered with ${fault.name}, and the next one with what is right`, () =>
        meet({ ...fault, times }, stage.path, exit));
    }
  }

  const page = (next: string, items: Document[]) => JSON.stringify({ items, next_cursor: next });
  const feedFaults: FaultRow[] = [
    {
      name: 'the cursor that it was asked with',
      times: 1,
      exit: 5,
      answer: (_request, response) => response.end(page('50', service.records.content!.slice(0, 3))),
    },
    {
      name: 'its first page again and again',
      times: 1000,
      exit: 5,
      answer(_request, response) {
        const byDate = [...service.records.content!].sort((a, b) => (String(a.date) < String(b.date) ? 1 : -1));
        response.end(page(String(Math.random()), byDate.slice(0, 50)));
      },
    },
  ];
  for (const fault of feedFaults) {
    it(`ends with exit 5 when a later page of the feed is answered with ${fault.name}, and the next one with what is right`, () =>
      meet(fault, /^\/feed\?.*cursor=/, 5));
  }

  const dataset = (change: (rows: Document[]) => Document[], mark = ','): FaultRow['answer'] => {
    return (_request, response) => {
      const rows = change(structuredClone(service.records.promises!));
      const columns = Object.keys(rows[0] ?? {});
      const format = csvFormat(columns);
      const text = [format.head(columns), ...rows.map((row) => format.row(row))].join('');
      response.writeHead(200, { 'content-type': 'text/csv' }).end(mark === ',' ? text : `\ufeff${text}`);
    };
  };
  const renamed = ({ topic, ...row }: Document): Document => ({ ...row, theme: topic ?? null });
  const datasetFaults: FaultRow[] = [
    { name: 'a tenth of its rows', times: 2, exit: 5, answer: dataset((rows) => rows.slice(0, 6)) },
    {
      name: 'no rows',
      times: 2,
      exit: 5,
      answer: dataset((rows) => rows.slice(0, 1).map(() => ({ id: null, title: null }))),
    },
    { name: 'a renamed column', times: 2, exit: 5, answer: dataset((rows) => rows.map(renamed)) },
    { name: 'a BOM', times: 1, exit: 0, answer: dataset((rows) => rows, 'bom') },
    { name: 'every row twice', times: 1, exit: 0, answer: dataset((rows) => [...rows, ...rows]) },
    {
      name: 'a last line that breaks off',
      times: 2,
      exit: 5,
      answer: (_request, response) => {
        const rows = service.records.promises!.slice(0, -2);
        const columns = Object.keys(rows[0]!);
        const format = csvFormat(columns);
        const text = [format.head(columns), ...rows.map((row) => format.row(row))].join('').trimEnd();
        response.writeHead(200, { 'content-type': 'text/csv' }).end(text);
      },
    },
  ];
  for (const fault of datasetFaults) {
    it(`ends with exit ${fault.exit} when a dataset comes with ${fault.name}, and the next one with what is right`, () =>
      meet(fault, /entity=promises/, fault.exit));
  }
});
