import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type FTPContext, FTPError } from 'basic-ftp';

/** Milliseconds to wait for the server's reply once its data connection is cut. */
const REPLY_MS = 2000;

/**
 * Runs a transfer. A server that refuses a file, or is full, cuts the data connection first and replies afterwards; the library
 * would hang up at the cut, and the reason would be lost.
 */
export async function withReason<T>(ftp: FTPContext, transfer: () => Promise<T>): Promise<T> {
  const hangUp = ftp.closeWithError.bind(ftp);
  let isCut = false;
  let late: NodeJS.Timeout | undefined;
  ftp.closeWithError = (error) => {
    if (!isCutOfData(error)) return hangUp(error);
    isCut = true;
    late ??= setTimeout(() => hangUp(error), REPLY_MS);
  };
  const stop = new AbortController();
  const refusal = watchRefusals(ftp.socket, stop.signal);
  try {
    return await transfer();
  } catch (error) {
    if (error instanceof FTPError || ftp.closed || !(isCut || isPrematureEnd(error))) throw error;
    const reply = await Promise.race([refusal(), wait(REPLY_MS, undefined, { signal: stop.signal })]);
    if (reply !== undefined) throw reply;
    hangUp(new Error('the data connection broke', { cause: error }));
    throw error;
  } finally {
    stop.abort();
    clearTimeout(late);
    ftp.closeWithError = hangUp;
  }
}

/** The library names the connection at the end of its errors; a data connection that is silent was waited for already. */
const isCutOfData = ({ message }: Error): boolean =>
  message.endsWith('(data socket)') && !message.startsWith('Timeout');

const isPrematureEnd = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

/**
 * Watches the control connection until `signal`. The returned function resolves with a refusal (400 or more) that is the last
 * reply, or else with the next one: an earlier refusal was answered by another command, for instance EPSV by PASV.
 */
function watchRefusals(socket: Socket, signal: AbortSignal): () => Promise<FTPError> {
  let line = '';
  let last: FTPError | undefined;
  let found: ((refusal: FTPError) => void) | undefined;
  const read = (chunk: Buffer | string) => {
    const lines = `${line}${chunk.toString()}`.split('\n');
    line = (lines.pop() ?? '').slice(-2000);
    for (const one of lines) {
      const [message, code] = /^(\d\d\d) .*/.exec(one.trim()) ?? [];
      if (message === undefined) continue;
      last = Number(code) >= 400 ? new FTPError({ code: Number(code), message }) : undefined;
      if (last !== undefined) found?.(last);
    }
  };
  socket.on('data', read);
  signal.addEventListener('abort', () => socket.off('data', read), { once: true });
  return () =>
    new Promise((resolve) => {
      found = resolve;
      if (last !== undefined) resolve(last);
    });
}
