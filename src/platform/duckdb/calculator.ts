import { type FromCalculator, ToCalculator } from './calculator-messages.ts';
import { KontorError } from '#platform/errors.ts';
import type { Connection } from './connection.ts';
import { DuckInstance } from './instance.ts';

// The DuckDB process (started by calculator-process.ts). It ends with its program, however that ends; it ignores a terminal's
// signals, as they reach the program as well, which ends it after the last question is answered.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));

type PendingAnswer = { readonly wanted: () => Promise<boolean>; want: (more: boolean) => void };
const state: { instance: DuckInstance | undefined } = { instance: undefined };
const connections = new Map<number, Promise<Connection>>();
const pending = new Map<number, PendingAnswer>();

process.on('message', (message) => take(ToCalculator.parse(message)));

function take(message: ToCalculator): void {
  switch (message.do) {
    case 'open':
      state.instance = new DuckInstance(message.options);
      return;
    case 'ask':
      void answer(message, (connection) => portionsOf(connection, message));
      return;
    case 'answer':
      void answer(message, (connection) => connection.answer(message));
      return;
    case 'next':
      pending.get(message.id)?.want(true);
      return;
    case 'end':
      pending.get(message.id)?.want(false);
      return;
    case 'interrupt':
      void connections.get(message.connection)?.then((one) => one.interrupt());
      return;
    case 'close':
      void connections.get(message.connection)?.then((one) => one.close());
      connections.delete(message.connection);
  }
}

async function connected(id: number): Promise<Connection> {
  const known = connections.get(id);
  if (known !== undefined) return known;
  if (state.instance === undefined) throw new Error('queried before it was opened');
  const connection = state.instance.connect();
  connections.set(id, connection);
  connection.catch(() => connections.delete(id));
  return connection;
}

type Ask = Extract<ToCalculator, { do: 'ask' }>;
type AnswerTarget = { readonly id: number; readonly connection: number };

/** Answers one question, computing one portion of rows ahead: a further one is computed only when the reader wants it. */
async function answer(
  { id, connection }: AnswerTarget,
  work: (connection: Connection) => AsyncGenerator<unknown[]>,
): Promise<void> {
  pending.set(id, demand());
  try {
    const portions = work(await connected(connection));
    let [rows, next] = [await portions.next(), await portions.next()];
    for (;;) {
      send({ id, rows: rows.done === true ? [] : rows.value, done: next.done === true });
      if (next.done === true) break;
      if (!(await pending.get(id)?.wanted())) {
        await portions.return(undefined);
        break;
      }
      [rows, next] = [next, await portions.next()];
    }
  } catch (error) {
    send({ id, ...failure(error) });
  } finally {
    pending.delete(id);
  }
}

function portionsOf(connection: Connection, { way, sql, values }: Ask): AsyncGenerator<unknown[]> {
  return connection[way]({ sql, values });
}

function failure(error: unknown) {
  if (!(error instanceof KontorError)) return { error: error instanceof Error ? error.message : String(error) };
  const { status, code, message, fields, retryAfter } = error;
  return {
    refused: {
      status,
      code,
      message,
      ...(fields === undefined ? {} : { fields: [...fields] }),
      ...(retryAfter === undefined ? {} : { retryAfter }),
    },
  };
}

function demand(): PendingAnswer {
  let next = Promise.withResolvers<boolean>();
  return {
    wanted: () => next.promise.finally(() => (next = Promise.withResolvers<boolean>())),
    want: (more) => next.resolve(more),
  };
}

function send(message: FromCalculator): void {
  process.send?.(message);
}
