import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { BadTargetError } from '../../src/errors.ts';
import { openAtomicFile, writeAtomically } from '../../src/format/atomic-file.ts';

const source = new URL('../../src/format/', import.meta.url).href;

async function failure(act: () => Promise<unknown>): Promise<Error> {
  try {
    await act();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

describe('an atomic file', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hemicycle-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is not there until it is whole, and then alone', async () => {
    const path = join(folder, 'partis.csv');
    const sink = await openAtomicFile(path);
    await sink.write('slug\n');
    expect(await readdir(folder))
      .to.have.length(1)
      .and.not.include('partis.csv');
    await sink.write(new TextEncoder().encode('été\n'));
    await sink.end();
    expect(await readdir(folder)).to.deep.equal(['partis.csv']);
    expect(await readFile(path, 'utf8')).to.equal('slug\nété\n');
    expect((await stat(path)).mode & 0o7777).to.equal(0o666 & ~process.umask());
    expect(sink.closed).to.equal(true);
  });

  it('removes at once what a process left that has ended, and nothing that one is still writing', async () => {
    const script = `import { openAtomicFile } from '${source}atomic-file.ts';
      const sink = await openAtomicFile(process.argv[1]); sink.write('half'); process.exit(0)`;
    const writeAndCrash = () => spawnSync(process.execPath, ['--input-type=module', '-e', script, join(folder, 'a')]);
    expect(writeAndCrash().status).to.equal(0);
    expect(await readdir(folder)).to.have.lengthOf(1);
    const writing = await openAtomicFile(join(folder, 'b'));
    const mine = await readdir(folder);
    expect(mine).to.have.lengthOf(1);
    expect(writeAndCrash().status).to.equal(0);
    await writeAtomically(join(folder, 'c'), (file) => file.write('whole'));
    expect(await readdir(folder)).to.have.members([...mine, 'c']);
    await writing.end();
    expect(await readdir(folder)).to.have.members(['b', 'c']);
  });

  it('gives a file the mode of the one whose place it takes', async () => {
    const path = join(folder, 'private.csv');
    await writeFile(path, 'old');
    await chmod(path, 0o640);
    await writeAtomically(path, (file) => file.write('new'));
    expect((await stat(path)).mode & 0o777).to.equal(0o640);
  });

  it('removes what another machine left a day ago, and nothing else', async () => {
    const temporaryFile = (digit: string) => join(folder, `.hemicycle-${digit.repeat(16)}.tmp`);
    const yesterday = new Date(Date.now() - 90_000_000);
    for (const path of [temporaryFile('a'), temporaryFile('b'), join(folder, '.hemicycle-other.tmp')]) {
      await writeFile(path, 'half');
      if (path !== temporaryFile('b')) await utimes(path, yesterday, yesterday);
    }
    await writeAtomically(join(folder, 'partis.csv'), (file) => file.write('slug\n'));
    expect(await readdir(folder)).to.have.members([basename(temporaryFile('b')), '.hemicycle-other.tmp', 'partis.csv']);
  });

  it('counts its bytes and their SHA-256', async () => {
    const sink = await writeAtomically(join(folder, 'a'), async (file) => file.write('é'.repeat(3)));
    expect(sink.bytes).to.equal(6);
    expect(sink.sha256()).to.equal(createHash('sha256').update('ééé').digest('hex'));
    expect(sink.sha256()).to.equal(sink.sha256());
  });

  it('leaves the file of before, and nothing else, when the writing fails', async () => {
    const path = join(folder, 'partis.csv');
    await writeFile(path, 'before');
    const error = await failure(() =>
      writeAtomically(path, async (sink) => {
        await sink.write('half');
        throw new Error('the source broke');
      }),
    );
    expect(error.message).to.equal('the source broke');
    expect(await readdir(folder)).to.deep.equal(['partis.csv']);
    expect(await readFile(path, 'utf8')).to.equal('before');
  });

  it('replaces what was there', async () => {
    const path = join(folder, 'partis.csv');
    await writeFile(path, 'much longer than what follows');
    await writeAtomically(path, (sink) => sink.write('new'));
    expect(await readFile(path, 'utf8')).to.equal('new');
  });

  it('takes a name as long as the file system does', async () => {
    const path = join(folder, 'n'.repeat(255));
    await writeAtomically(path, (sink) => sink.write('x'));
    expect(await readFile(path, 'utf8')).to.equal('x');
  });

  const refused: [string, string, (folder: string) => Promise<unknown>][] = [
    ['a folder', 'it is a folder', (at) => mkdir(join(at, 'target'))],
    ['a symbolic link', 'it is a symbolic link', (at) => symlink(join(at, 'elsewhere'), join(at, 'target'))],
  ];
  for (const [what, reason, make] of refused) {
    it(`refuses ${what}`, async () => {
      await make(folder);
      const error = await failure(() => openAtomicFile(join(folder, 'target')));
      expect(error).to.be.instanceOf(BadTargetError);
      expect(error.message).to.equal(`${join(folder, 'target')}: ${reason}`);
    });
  }

  it('refuses a device, a folder that is not there, a folder that is a file, and a name that is too long', async () => {
    await writeFile(join(folder, 'file'), '');
    const messages = [];
    for (const path of ['/dev/null', join(folder, 'no/a'), join(folder, 'file/a'), join(folder, 'n'.repeat(256))])
      messages.push((await failure(() => openAtomicFile(path))).message.replace(/^.*: /, ''));
    expect(messages).to.deep.equal([
      'it is not a regular file',
      'the folder does not exist',
      'its parent is not a folder',
      'the name is too long',
    ]);
  });

  it('says why when the system takes no more bytes, and leaves nothing behind', async () => {
    const code = `
      import { writeAtomically } from '${source}atomic-file.ts';
      await writeAtomically('${folder}/big', async (sink) => { for (let n = 0; n < 64; n++) await sink.write('x'.repeat(65536)); });`;
    const limited = `trap '' XFSZ; ulimit -f 256; exec "$0" --input-type=module -e "$1"`;
    const { stderr } = spawnSync('bash', ['-c', limited, process.execPath, code]);
    expect(stderr.toString()).to.contain('the file would be larger than the system allows');
    expect(await readdir(folder)).to.deep.equal([]);
  });
});
