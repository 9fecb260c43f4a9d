import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { listValue } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { requestCompany, CalculatorProcesses } from './calculator-processes.ts';
import { CompanyLoads } from './company-loads.ts';
import { DuckDb } from './duckdb.ts';

let folder: string;
let processes: CalculatorProcesses;
let duckdb: DuckDb;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-calculators-'));
  open(new CompanyLoads(() => performance.now()));
});

afterEach(async () => {
  duckdb.close();
  await rm(folder, { recursive: true });
});

function open(loads: CompanyLoads, restMs = 300): void {
  processes = new CalculatorProcesses({ folder, threads: 1 }, { most: 2, restMs }, loads);
  duckdb = new DuckDb(processes);
}
const sql = (text: string) => ({ sql: text, values: [] });
const endless = sql('SELECT count(*) FROM range(1000000000000) a, range(1000000) b WHERE a.range * b.range = -1');
const number = (value: number) => ({ sql: 'SELECT $1::INT AS n', values: [value] });
const as = <T>(company: string, work: () => Promise<T>) => requestCompany.run(company, work);
// The tests themselves may run with a lowered priority.
const usual = getPriority();
const slower = usual + 5;
/** Returns the priority of each thread of a process, as Linux counts it. */
const prioritiesOf = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });
const ended = () => expect.poll(() => processes.pids(), { timeout: 20_000 }).toEqual([]);

describe('queries run in processes of their own (T22)', () => {
  it('T22 all kinds of values are passed and returned as in the same process', async () => {
    const local = await DuckDb.open({ folder, instance: 'local' });
    const query = {
      sql: `SELECT $1 AS text, $2 AS number, $3 AS missing, unnest($4) AS part, 170141183460469231731687303715884105727::HUGEINT AS huge,
        12.50::DECIMAL(9,2) AS price, DATE '2026-11-24' AS day, TIMESTAMP '2026-11-24 10:00:00' AS at, [1, NULL] AS list,
        {'a': 'ä', 'b': [true]} AS object, 9007199254740993::BIGINT AS large, 'x'::BLOB AS bytes`,
      values: ["it's", 1.5, null, listValue(['a', '', null, '\u{1F600}'])],
    };
    const there = await duckdb.all(query);
    expect(there).toHaveLength(4);
    expect(there).toEqual(await local.all(query));
    local.close();
  });

  it('a stream arrives in portions, only as fast as its reader reads', async () => {
    const session = await duckdb.session();
    const seen: number[] = [];
    for await (const rows of session.streamTexts(sql('SELECT range AS n FROM range(100000000)'))) {
      seen.push(rows.length);
      expect(rows[0]).toEqual([String(seen.slice(0, -1).reduce((sum, one) => sum + one, 0))]);
      if (seen.length === 5) break;
    }
    expect(await session.all(number(7))).toEqual([{ n: 7 }]);
    const all: unknown[] = [];
    for await (const rows of session.stream(sql('SELECT range::INT AS n FROM range(30000)'))) all.push(...rows);
    expect(all.at(-1)).toEqual({ n: 29_999 });
    session.close();
  });

  it('a failed statement reports its own error, and the session stays usable', async () => {
    const session = await duckdb.session();
    await session.all(sql('CREATE TEMP TABLE kept AS SELECT 1 AS n'));
    await expect(session.all(sql('SELECT nothing FROM kept'))).rejects.toThrow('Binder Error');
    expect(await session.all(sql('SELECT n FROM kept'))).toEqual([{ n: 1 }]);
    session.close();
    await expect(duckdb.all(sql('SET threads = 1'))).rejects.toThrow('locked');
    await expect(duckdb.all(sql("SELECT * FROM read_text('/etc/hostname')"))).rejects.toThrow('Permission');
  });

  it('T22 a task runs in the other process, streams its answer, and ends when its client disconnects', async () => {
    const module = `data:text/javascript,${encodeURIComponent(`
      import { KontorError } from '${import.meta.resolve('#platform/errors.ts')}';
      const numbers = async (calculator, { count }) => {
        const connection = await calculator.connect();
        const rows = [];
        for await (const some of connection.computed({ sql: 'SELECT range::INT AS n FROM range(' + count + ')', values: [] })) rows.push(...some);
        connection.close();
        return { process: process.pid, rows };
      };
      const broken = async () => { throw new Error('kaputt'); };
      const refused = async () => { throw new KontorError(422, 'wrong', 'Das ist falsch.', { fields: [{ field: 'a', message: 'Falsch.' }], retryAfter: 2 }); };
      const endless = async () => { for (;;); };
      export const answers = { numbers, broken, refused, endless };`)}`;
    const { signal } = new AbortController();
    const ask = (name: string, question: unknown, gone = signal) =>
      duckdb.answer([], () => ({ module, name, question }), gone);
    const stream = await ask('numbers', { count: 200_000 });
    const [pid] = processes.pids();
    const text = await stream.toArray();
    expect(text.length).toBeGreaterThan(2);
    const Answer = z.object({ process: z.number(), rows: z.array(z.object({ n: z.number() })) });
    const answer = Answer.parse(JSON.parse(Buffer.concat(text).toString()));
    expect([answer.process, answer.rows.length, answer.rows.at(-1)?.n]).toEqual([pid, 200_000, 199_999]);
    await expect(ask('broken', {})).rejects.toThrow('kaputt');
    await expect(ask('refused', {})).rejects.toMatchObject({
      name: 'KontorError',
      status: 422,
      code: 'wrong',
      message: 'Das ist falsch.',
      fields: [{ field: 'a', message: 'Falsch.' }],
      retryAfter: 2,
    });
    await expect(ask('nothing', {})).rejects.toThrow('has no answer named nothing');
    // Nobody reads the answer: its connection is freed all the same.
    (await ask('numbers', { count: 200_000 })).destroy();
    await ended();
    const gone = new AbortController();
    const lost = expect(ask('endless', {}, gone.signal)).rejects.toThrow('weg');
    await expect.poll(() => processes.pids().length).toBe(1);
    gone.abort(new Error('weg'));
    await lost;
    await ended();
  });

  it("a company's queries stay in its process, and the next company gets another one", async () => {
    const gone = new AbortController();
    const first = as('A', () => duckdb.all(endless, gone.signal));
    await expect.poll(() => processes.pids().length).toBe(1);
    const second = as('A', () => duckdb.all(endless, gone.signal));
    expect(await as('A', () => duckdb.all(number(1)))).toEqual([{ n: 1 }]);
    expect(processes.pids()).toHaveLength(1);
    // A process that still runs one of its questions does not end, however slow the machine is.
    const other = as('B', () => duckdb.all(endless, gone.signal));
    expect(await as('B', () => duckdb.all(number(2)))).toEqual([{ n: 2 }]);
    expect(processes.pids()).toHaveLength(2);
    const all = Promise.all([first, second, other].map((one) => expect(one).rejects.toThrow('weg')));
    gone.abort(new Error('weg'));
    await all;
    await ended();
  });

  it('a company keeps its process between queries, and another company starts its own if the limit allows', async () => {
    open(new CompanyLoads(() => performance.now()), 60_000);
    const pidOf = async (company: string) => {
      const before = processes.pids();
      await as(company, () => duckdb.all(number(1)));
      return processes.pids().find((pid) => !before.includes(pid)) ?? 'known';
    };
    expect(await pidOf('A')).toBeTypeOf('number');
    expect(await pidOf('B')).toBeTypeOf('number');
    expect(await pidOf('A')).toBe('known');
    expect(await pidOf('C')).toBe('known');
    expect(processes.pids()).toHaveLength(2);
  });

  it('a computation that does not stop after an abort is killed with its process, and the other queries in it are repeated', async () => {
    const kept = await as('A', () => duckdb.session());
    await kept.all(sql('CREATE TEMP TABLE kept AS SELECT 1 AS n'));
    const [pid = 0] = processes.pids();
    const gone = new AbortController();
    // Like a statement that is being planned: it computes and does not notice an interrupt.
    const module = `data:text/javascript,${encodeURIComponent('export const answers = { endless: async () => { for (;;); } };')}`;
    const never = as('A', () => duckdb.answer([], () => ({ module, name: 'endless', question: {} }), gone.signal));
    const neighbour = as('A', () => duckdb.all(number(3)));
    setTimeout(() => gone.abort(new Error('weg')), 50);
    await expect(never).rejects.toThrow('weg');
    expect(await neighbour).toEqual([{ n: 3 }]);
    expect(processes.pids()).not.toContain(pid);
    expect(kept.isLost).toBe(true);
    await expect(kept.all(sql('SELECT n FROM kept'))).rejects.toMatchObject({ status: 503, code: 'calculation_lost' });
    kept.close();
    await ended();
  });

  it('work in a session runs once more, with new tables, if its process is lost; then the loss is reported', async () => {
    let runs = 0;
    const work = (losses: number, signal?: AbortSignal) =>
      duckdb.inSession(async (session) => {
        runs += 1;
        await session.all({ sql: 'CREATE TEMP TABLE kept AS SELECT $1::INT AS n', values: [runs] }, signal);
        if (runs <= losses) for (const pid of processes.pids()) process.kill(pid, 'SIGKILL');
        return session.all(sql('SELECT n FROM kept'), signal);
      }, signal);
    expect(await work(1)).toEqual([{ n: 2 }]);
    runs = 0;
    await expect(work(9)).rejects.toMatchObject({ status: 503, code: 'calculation_lost' });
    expect(runs).toBe(2);
    runs = 0;
    await expect(work(0, AbortSignal.abort(new Error('weg')))).rejects.toThrow('weg');
    await expect(duckdb.inSession((session) => session.all(sql('SELECT nothing')))).rejects.toThrow('Binder Error');
    expect(runs).toBe(0);
    await ended();
  });

  it('a process that was suspended handles an abort late, and its other sessions continue', async () => {
    const kept = await as('A', () => duckdb.session());
    await kept.all(sql('CREATE TEMP TABLE kept AS SELECT 1 AS n'));
    const [pid = 0] = processes.pids();
    const gone = new AbortController();
    const never = expect(as('A', () => duckdb.all(endless, gone.signal))).rejects.toThrow('weg');
    process.kill(pid, 'SIGSTOP');
    setTimeout(() => gone.abort(new Error('weg')), 50);
    await wait(2200);
    process.kill(pid, 'SIGCONT');
    await never;
    expect(await kept.all(sql('SELECT n FROM kept'))).toEqual([{ n: 1 }]);
    kept.close();
    await ended();
  });

  it('a busy company gives way with all threads, while other companies get a process of normal priority', async () => {
    // With so small a share of a machine, half a second of computing counts as much, however busy this one is.
    open(new CompanyLoads(() => performance.now(), 0.3));
    const gone = new AbortController();
    const heavy = expect(as('A', () => duckdb.all(endless, gone.signal))).rejects.toThrow('weg');
    await expect.poll(() => processes.pids().flatMap(prioritiesOf)).toContain(slower);
    const [slow = 0] = processes.pids();
    expect(new Set(prioritiesOf(slow))).toEqual(new Set([slower]));
    expect(await as('B', () => duckdb.all(number(1)))).toEqual([{ n: 1 }]);
    const [, other = 0] = processes.pids();
    expect(new Set(prioritiesOf(other))).toEqual(new Set([usual]));
    gone.abort(new Error('weg'));
    await heavy;
    await ended();
    // Its earlier computing still counts: its next question gets a lower priority at once.
    const next = await as('A', () => duckdb.session());
    expect(await next.all(number(2))).toEqual([{ n: 2 }]);
    expect(new Set(processes.pids().flatMap(prioritiesOf))).toEqual(new Set([slower]));
    next.close();
  });

  it('a client that waits long without computing keeps its process at normal priority', async () => {
    const session = await duckdb.session();
    const rows = session.stream(sql('SELECT range::INT AS n FROM range(100000)'));
    await rows.next();
    await wait(2200);
    expect(processes.pids().flatMap(prioritiesOf)).not.toContain(slower);
    await rows.return(undefined);
    session.close();
  });

  it('an idle process ends, and the next query starts one', async () => {
    expect(await duckdb.all(number(4))).toEqual([{ n: 4 }]);
    await ended();
    expect(await duckdb.all(number(5))).toEqual([{ n: 5 }]);
    duckdb.close();
    await ended();
    await expect(duckdb.all(number(6))).rejects.toThrow('closed');
  });
});
