import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Random } from './random.ts';

/** One call that changed a file or its name, or asked that it be on the disk, as `preloaded-disk.c` records it. */
export type Call = {
  name: 'write' | 'truncate' | 'fsync' | 'rename' | 'unlink';
  path: string;
  /** Where it wrote; the size that a file was cut to. */
  at: number;
  data: Buffer;
};

/** What is preloaded into a program to make its writes fail, or to record them, compiled; null where that cannot be. */
export function compilePreloadedDisk(folder: string): string | null {
  if (process.platform !== 'linux' || spawnSync('gcc', ['--version']).status !== 0) return null;
  const source = fileURLToPath(new URL('preloaded-disk.c', import.meta.url));
  const compiled = join(folder, 'preloaded-disk.so');
  const { status, stderr } = spawnSync('gcc', ['-shared', '-fPIC', '-o', compiled, source, '-ldl']);
  if (status !== 0) throw new Error(String(stderr));
  return compiled;
}

/** The calls of a record, in their order. What is in memory that processes share (-shm) goes with them, and is left out. */
export function readRecord(file: string): Call[] {
  const bytes = readFileSync(file);
  const calls: Call[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf('\n', from);
    const [name, at, size, ...path] = bytes.toString('utf8', from, end).split(' ');
    from = end + 1 + Number(size);
    const call = { name, path: path.join(' '), at: Number(at), data: bytes.subarray(end + 1, from) } as Call;
    if (!call.path.endsWith('-shm')) calls.push(call);
  }
  return calls;
}

/** A file of a recorded disk; `synced` is what is sure to be on the disk, `since` what was done to it after that. */
class RecordedFile {
  private bytes = Buffer.alloc(0);
  private size = 0;
  private synced = Buffer.alloc(0);
  private since: Call[] = [];

  now(): Buffer {
    return this.bytes.subarray(0, this.size);
  }

  sync(): void {
    this.synced = Buffer.from(this.now());
    this.since = [];
  }

  change(call: Call): void {
    this.since.push(call);
    this.take(call);
  }

  /** Each change since it was last sure to be on the disk is there, is lost, or is there in some of its sectors. */
  afterPowerCut(random: Random): Buffer {
    const survived = new RecordedFile();
    survived.take({ name: 'write', path: '', at: 0, data: this.synced });
    for (const call of this.since) {
      const fate = random.pick(['there', 'lost', 'torn'] as const);
      if (fate === 'there') survived.take(call);
      if (fate !== 'torn' || call.name !== 'write') continue;
      for (let from = 0; from < call.data.length; from += sectorBytes) {
        const sector = call.data.subarray(from, from + sectorBytes);
        if (random.isOneIn(2)) survived.take({ ...call, at: call.at + from, data: sector });
      }
    }
    return survived.now();
  }

  private take({ name, at, data }: Call): void {
    const size = name === 'truncate' ? at : Math.max(this.size, at + data.length);
    if (size > this.bytes.length) this.bytes = Buffer.concat([this.now()], size * 2);
    // What a file is made longer by without being written is zeros.
    if (size < this.size) this.bytes.fill(0, size, this.size);
    this.size = size;
    data.copy(this.bytes, at);
  }
}

const sectorBytes = 512;

type Names = Map<string, RecordedFile>;

/** The files of a record, as they stood after the calls that were made so far. */
export class RecordedDisk {
  private names: Names = new Map();
  /** The names that are sure to be on the disk, and those after each change of one since. */
  private lasting: Names[] = [this.names];

  make(call: Call): void {
    const { name, path } = call;
    const file = this.names.get(path);
    if (name === 'fsync' && file) file.sync();
    else if (name === 'fsync') this.lasting = [this.names];
    else if (name === 'rename') this.rename(path);
    else if (name === 'unlink') this.rewrite((names) => names.delete(path));
    else (file ?? this.create(path)).change(call);
  }

  /** The files that a process leaves which is killed now: what it wrote is the system's, and that goes on. */
  afterKill(): Map<string, Buffer> {
    return new Map([...this.names].map(([path, file]) => [path, file.now()]));
  }

  /** The files that a power cut may leave now, with the names of some moment since those were last sure. */
  afterPowerCut(random: Random): Map<string, Buffer> {
    const names = random.pick(this.lasting);
    return new Map([...names].map(([path, file]) => [path, file.afterPowerCut(random)]));
  }

  private create(path: string): RecordedFile {
    const file = new RecordedFile();
    this.rewrite((names) => names.set(path, file));
    return file;
  }

  private rename(paths: string): void {
    const [from, to] = paths.split('\t') as [string, string];
    this.rewrite((names) => names.set(to, names.get(from)!).delete(from));
  }

  private rewrite(change: (names: Names) => void): void {
    this.names = new Map(this.names);
    change(this.names);
    this.lasting.push(this.names);
  }
}

/** Puts files into a folder that holds nothing else then. */
export function putFiles(folder: string, files: Map<string, Buffer>): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [path, bytes] of files) writeFileSync(join(folder, basename(path)), bytes);
}
