import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type FTPContext, FTPError } from 'basic-ftp';

/** Milliseconds to wait for the server's reply once its data connection is cut. */
const REPLY = 2000;

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
    late ??= setTimeout(() => hangUp(error), REPLY);
  };
  const stop = new AbortController();
  const refusal = refusalOn(ftp.socket, stop.signal);
  try {
    return await transfer();
  } catch (error) {
    if (error instanceof FTPError || ftp.closed || !(isCut || isPrematureEnd(error))) throw error;
    const reply = await Promise.race([refusal, wait(REPLY, undefined, { signal: stop.signal })]);
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

/** Resolves with the next refusal on the control connection, a reply of 400 or more; listens until `signal`. */
const refusalOn = (socket: Socket, signal: AbortSignal): Promise<FTPError> =>
  new Promise((resolve) => {
    let text = '';
    const read = (chunk: Buffer | string) => {
      text = `${text}${chunk.toString()}`.slice(-2000);
      const [message, code] = /^([45]\d\d) [^\n]*\n/m.exec(text) ?? [];
      if (message !== undefined) resolve(new FTPError({ code: Number(code), message: message.trim() }));
    };
    socket.on('data', read);
    signal.addEventListener('abort', () => socket.off('data', read), { once: true });
  });
