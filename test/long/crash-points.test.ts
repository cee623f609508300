import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { takeLock } from '../../src/store/lock.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { parseBallotRanges } from '../../src/sync/ballots.ts';
import { dialects } from '../helpers/dialects.ts';
import { type FakeService, startFakeService } from '../helpers/fake-service.ts';
import { contentsOf, lookInto } from '../helpers/mirror-contents.ts';
import { runProgram } from '../helpers/program.ts';
import { createRandom, seedOf } from '../helpers/random.ts';
import { type Call, compilePreloadedDisk, putFiles, RecordedDisk, readRecord } from '../helpers/recorded-disk.ts';
import { syncOnce, wholeScope } from '../helpers/sync-run.ts';

const ballots = 'AN:VAL1V1..VAL1V3';

/** Of the writes to the log between two commits, which nobody reads, one in so many is a point. */
const plainStep = 2;

/** A sync goes on from one in so many of the mirrors that are left and differ. */
const resumedStep = Number(process.env.CRASH_STEP ?? 2);

const withdrawn = 'promise-bruyevre-2025-003';

describe('a sync that is cut off at any of its writes', () => {
  let folder: string;
  let service: FakeService;
  let preloaded: string;
  before(async function () {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
    const compiled = compilePreloadedDisk(folder);
    if (compiled === null) {
      console.log('    skipped: what records writes is compiled with gcc, on Linux; it is not here');
      return this.skip();
    }
    preloaded = compiled;
    service = await startFakeService(dialects[0]!);
    for (const [plural, records] of Object.entries(service.records)) service.records[plural] = records.slice(0, 6);
  });
  after(async () => {
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** One sync of the program itself: the calls that it made, and the mirror that it left. */
  async function recorded(db: string): Promise<{ calls: Call[]; expected: ReturnType<typeof contentsOf> }> {
    const record = `${db}.record`;
    const argv = ['sync', '--from', service.baseUrl, '--db', db, '--rate', '1000000', '--quiet', '--ballots', ballots];
    const env = {
      HOME: folder,
      LD_PRELOAD: preloaded,
      FAULT_UNDER: join(folder, 'recorded'),
      RECORD_TO: record,
    };
    rmSync(record, { force: true });
    expect(await runProgram(argv, { env })).to.deep.equal({ stdout: '', stderr: '', exit: 0 });
    return { calls: readRecord(record), expected: contentsOf(db) };
  }

  /** Goes on where another run was cut off, as the program does. */
  async function resume(db: string): Promise<void> {
    const lock = await takeLock(db, { sleep });
    const mirror = openWritableMirror(db);
    const scope = { ...wholeScope, ballots: parseBallotRanges(ballots) };
    const { error } = await syncOnce({ mirror, folder }, service.baseUrl, { scope, inFlight: 4 });
    mirror.close();
    lock.close();
    expect(error).to.equal(null);
  }

  /** What the mirror is for whoever opens it now, as a hash; the file is made where there is none. */
  function stateOf(db: string): string {
    const mirror = openWritableMirror(db);
    const state = createHash('sha256').update(mirror.database.serialize()).digest('hex');
    mirror.close();
    return state;
  }

  it('leaves a sound mirror, which holds what it held, and goes on to be the same', async () => {
    const random = createRandom(seedOf('CRASH_SEED'));
    const original = join(folder, 'recorded/mirror.db');
    const db = join(folder, 'cut/mirror.db');
    mkdirSync(join(folder, 'recorded'));
    const disk = new RecordedDisk();
    const states = new Set<string>();
    let points = 0;
    for (const [sync, change] of [() => {}, edit].entries()) {
      change(service.records);
      const { calls, expected } = await recorded(original);
      const withdrawnKeys = sync === 0 ? [] : [`promise ${withdrawn}`];
      let storedKeys: string[] = [];
      for (const [at, call] of calls.entries()) {
        disk.make(call);
        if (!isPoint(calls, at)) continue;
        for (const how of points % 3 === 0 ? ['killed', 'without power'] : ['killed']) {
          points += 1;
          putFiles(join(folder, 'cut'), how === 'killed' ? disk.afterKill() : disk.afterPowerCut(random));
          const isMade = existsSync(db);
          const state = stateOf(db);
          if (!isMade || states.has(state)) continue;
          states.add(state);
          const where = `CRASH_SEED=${random.seed}, sync ${sync + 1}, ${how} after call ${at}: ${call.name} ${call.path}`;
          const { integrity, keys } = lookInto(db);
          expect(integrity, where).to.equal('ok');
          const retainedKeys = storedKeys.filter((key) => !withdrawnKeys.includes(key));
          if (how === 'killed') expect([...keys], where).to.include.members(retainedKeys);
          if (how === 'killed') storedKeys = [...keys];
          if (states.size % resumedStep !== 0) continue;
          await resume(db);
          expect(contentsOf(db), where).to.deep.equal(expected);
        }
      }
      const replayedFile = disk.afterKill().get(original);
      expect(replayedFile?.equals(readFileSync(original)), 'every write is recorded').to.equal(true);
    }
    expect(points).to.be.at.least(1000);
    // Answers that come fast share a transaction: what is committed differs less often than what is written.
    expect(states.size).to.be.at.least(40);
    expect(service.unexpected).to.deep.equal([]);
  });
});

/** True for a call that changes what others see, or is beside one that does; and for some of the others. */
function isPoint(calls: Call[], at: number): boolean {
  return at % plainStep === 0 || [at - 1, at, at + 1].some((each) => calls[each] && isEvent(calls[each]));
}

/** Everything but a write to the log that commits nothing (https://www.sqlite.org/fileformat.html#wal_file_format). */
function isEvent({ name, path, data }: Call): boolean {
  if (name !== 'write' || !path.endsWith('-wal')) return true;
  return data.length === 24 && data.readUInt32BE(4) > 0;
}

function edit(records: FakeService['records']): void {
  records.politicians![3]!.current_role = 'sénatrice';
  records.parties![1]!.description = 'Un autre texte';
  records.promises = records.promises!.filter(({ id }) => id !== withdrawn);
  records.quotes!.push({ ...records.quotes![0]!, id: 'quote-new', text: 'Autre chose' } as Document);
  records.content![4]!.title = 'Un autre titre';
}
