import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type DemoServer, startDemoServer } from '../server/demo-server.ts';

/** The parts of OpenRefine as Debian installs them; its own script waits for a browser. */
const home = '/usr/share/openrefine';

const list = `name,party
BRUYÈVRE Océane,Alliance des Rivages
"Œillevent, Barnabé",Œuvre commune
Camille Rouvre,PDV
Oceane Bruyevrre,
Nobody Zzqxwv,
`;

type Answer = Awaited<ReturnType<typeof JSON.parse>>;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function fetchJson(address: string): Promise<Answer> {
  return (await fetch(address)).json();
}

/** The real program, without a screen, as its own pages speak to it. */
class OpenRefine {
  readonly #folder = mkdtempSync(join(tmpdir(), 'hemicycle-openrefine-'));
  #child: ChildProcess | null = null;
  #origin = '';
  output = '';

  async start(): Promise<void> {
    const port = await freePort();
    this.#origin = `http://127.0.0.1:${port}`;
    const options = [`data_dir=${this.#folder}`, `port=${port}`, 'headless=true', 'host=*', 'memory=300M'];
    const words = ['-Xmx300m', '-cp', `${home}/server/*`, ...options.map((each) => `-Drefine.${each}`)];
    this.#child = spawn('java', [...words, 'com.google.refine.Refine'], { cwd: home });
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      stream.setEncoding('utf8').on('data', (text) => {
        this.output += text;
      });
    await this.until(async () => {
      expect(this.#child?.exitCode, this.output).to.equal(null);
      const answer = await fetch(`${this.#origin}/command/core/get-version`).catch(() => null);
      return answer?.ok === true;
    });
  }

  /** Asks again until it is so: another program tells nobody when it is done. */
  async until(isSo: () => Promise<boolean>): Promise<void> {
    while (!(await isSo())) await sleep(100);
  }

  async get(command: string, query: Record<string, string> = {}): Promise<Answer> {
    return (await fetch(`${this.#origin}/command/core/${command}?${new URLSearchParams(query)}`)).json();
  }

  async post(command: string, query: Record<string, string>, form: Record<string, unknown>): Promise<Answer> {
    const { token } = await this.get('get-csrf-token');
    const body = new URLSearchParams({ csrf_token: token });
    for (const [name, value] of Object.entries(form))
      body.set(name, typeof value === 'string' ? value : JSON.stringify(value));
    const address = `${this.#origin}/command/core/${command}?${new URLSearchParams(query)}`;
    const answer: Answer = await (await fetch(address, { method: 'POST', body })).json();
    expect(answer.code, `${command}: ${JSON.stringify(answer)} ${this.output}`).to.not.equal('error');
    return answer;
  }

  /** A project made from a CSV text; its number. */
  async project(text: string): Promise<string> {
    const { token } = await this.get('get-csrf-token');
    const body = new FormData();
    body.set('project-name', 'list');
    body.set('format', 'text/line-based/*sv');
    body.set('options', JSON.stringify({ separator: ',', encoding: 'UTF-8' }));
    body.set('project-file', new Blob([text], { type: 'text/csv' }), 'list.csv');
    const address = `${this.#origin}/command/core/create-project-from-upload?csrf_token=${token}`;
    const { headers } = await fetch(address, { method: 'POST', body, redirect: 'manual' });
    return /project=(\d+)/.exec(headers.get('location') ?? '')![1]!;
  }

  /** Waits for what runs on a project. */
  async done(project: string): Promise<void> {
    await this.until(async () => (await this.get('get-processes', { project })).processes.length === 0);
  }

  async stop(): Promise<void> {
    if (this.#child && this.#child.exitCode === null) {
      this.#child.kill('SIGKILL');
      await once(this.#child, 'exit');
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const engine = { facets: [], mode: 'row-based' };

type Recon = {
  j: string;
  m?: { id: string };
  c?: { id: string; name: string; score: number; types: string[] }[];
};

describe('OpenRefine', () => {
  let server: DemoServer;
  const refine = new OpenRefine();
  let project: string;
  let service: string;

  before(async function () {
    if (!existsSync(`${home}/server`)) this.skip();
    server = await startDemoServer();
    service = `${server.url}/reconcile`;
    await refine.start();
    project = await refine.project(list);
  });

  after(async () => {
    await refine.stop();
    await server?.close();
  });

  /** The cells of a column as they are reconciled. */
  async function recons(): Promise<Recon[]> {
    const { rows, pool } = await refine.post('get-rows', { project, start: '0', limit: '20' }, { engine });
    return rows.map(({ cells }: { cells: { r: number }[] }) => pool.recons[cells[0]!.r]);
  }

  it('takes the manifest of the service, and guesses the type of a column from its first cells', async () => {
    const manifest = await fetchJson(service);
    expect(manifest.versions).to.include('0.2');
    const guessed = await refine.post('guess-types-of-column', { project, columnName: 'name', service }, {});
    expect(guessed.types.map(({ id }: { id: string }) => id)).to.include('politician');
  });

  it('matches who alone bears a name, offers candidates for the others, and never takes a homonym', async () => {
    const { identifierSpace, schemaSpace, defaultTypes } = await fetchJson(service);
    const config = {
      mode: 'standard-service',
      ...{ service, identifierSpace, schemaSpace },
      type: defaultTypes[0],
      autoMatch: true,
      columnDetails: [{ column: 'party', propertyName: 'Party', propertyID: 'party' }],
      limit: 0,
      batchSize: 2,
    };
    await refine.post('reconcile', { project }, { columnName: 'name', config, engine });
    await refine.done(project);
    const cells = await recons();
    expect(cells.map(({ j, m }) => [j, m?.id ?? null])).to.deep.equal([
      ['matched', 'politician:oceane-bruyevre'],
      ['matched', 'politician:barnabe-oeillevent'],
      ['none', null],
      ['none', null],
      ['none', null],
    ]);
    expect(cells.map(({ c = [] }) => c.map(({ id }) => id))).to.deep.equal([
      // What is matched needs no candidates.
      [],
      [],
      ['politician:camille-rouvre', 'politician:camille-rouvre-2'],
      ['politician:oceane-bruyevre'],
      [],
    ]);
    expect(cells[2]!.c![0]!.score).to.be.greaterThan(cells[2]!.c![1]!.score);
  });

  it('previews and adds columns with party, office, department and days', async () => {
    const { identifierSpace, schemaSpace } = await fetchJson(service);
    const wanted = ['party', 'current_role', 'department', 'birth_date'];
    const { properties } = await fetchJson(`${service}/properties?type=politician`);
    const extension = {
      properties: properties.filter(({ id }: { id: string }) => wanted.includes(id)),
    };
    const preview = await refine.post(
      'preview-extend-data',
      { project },
      { columnName: 'name', rowIndices: [0, 1], extension },
    );
    expect(JSON.stringify(preview.rows)).to.contain('Alliance des Rivages');
    await refine.post(
      'extend-data',
      { project },
      {
        engine,
        extension,
        ...{ baseColumnName: 'name', endpoint: service, identifierSpace, schemaSpace },
        columnInsertIndex: '1',
      },
    );
    await refine.done(project);
    const { columnModel } = await refine.get('get-models', { project });
    expect(columnModel.columns.map(({ name }: { name: string }) => name)).to.deep.equal([
      'name',
      'Party',
      'Office',
      'Department',
      'Day of birth',
      'party',
    ]);
    const { rows } = await refine.post('get-rows', { project, start: '0', limit: '2' }, { engine });
    const places = new Map(
      columnModel.columns.map(({ name, cellIndex }: { name: string; cellIndex: number }) => [name, cellIndex]),
    );
    const cell = (row: number, name: string) => rows[row].cells[places.get(name) as number]?.v;
    expect(cell(0, 'Party')).to.equal('Alliance des Rivages');
    expect(cell(0, 'Department')).to.equal('Côtes-Cendrées');
    expect(String(cell(0, 'Day of birth'))).to.contain('1979-05-17');
    expect(cell(1, 'Party')).to.equal('Œuvre commune');
    expect(server.failures).to.deep.equal([]);
  });
});
