import { api } from '#shared/http/api.ts';
import type { ImportOptions } from '#shared/import/schema.ts';
import type { ImportUpload } from '#shared/import/upload-calls.ts';
import { call, CallError, lostConnection, readAnswer, shapeOf } from '#client/call.ts';
import { Pace } from './pace.ts';
import { retryUntilDone, type Waiting } from './retry.ts';
import { open } from './upload.ts';

/** Bytes; smaller files are sent in one request. */
const IN_PIECES_FROM = 32 * 1024 * 1024;
/** Milliseconds without progress after which a connection counts as broken. */
const SILENT_MS = 30_000;

/** Progress of a file being sent. */
export type Sending = {
  readonly sent: number;
  readonly size: number;
  /** Bytes per second; null if not known yet. */
  readonly speed: number | null;
  readonly waiting: Waiting | null;
};

/** Pages loaded without https cannot compute checksums: there every file is sent in one request. */
export const usesChunks = (file: File): boolean => file.size >= IN_PIECES_FROM && isSecureContext;

/** Tells whether a file is the one of which the server already has a part. */
export async function isSameFile(file: File, { name, size, modified, first }: ImportUpload): Promise<boolean> {
  // A client need not state when the file was changed.
  if (nameOf(file) !== name || file.size !== size || (modified !== null && modifiedOf(file) !== modified)) return false;
  return first === null || (await digestOf(await bytesOf(file, 0, first.bytes))) === first.sha256;
}

type Order = {
  file: File;
  options: ImportOptions;
  /** The upload to continue; without it one of the same file is looked up. */
  upload?: ImportUpload | undefined;
  onUpload: (upload: ImportUpload) => void;
  onProgress: (sending: Sending) => void;
  signal: AbortSignal;
};

/**
 * Sends a file in chunks and starts its import. A transfer that breaks off is retried and
 * continues after the bytes that the server has.
 * @returns the number of the run @throws CallError for a permanent failure; an abort is thrown unchanged
 */
export async function uploadInChunks(masterid: string, order: Order): Promise<string> {
  const { file, signal, onProgress } = order;
  const pace = new Pace();
  let state: Sending = { sent: 0, size: file.size, speed: null, waiting: null };
  const report = (change: Partial<Sending>) => onProgress((state = { ...state, ...change }));
  const sent = (bytes: number) => {
    pace.tell(performance.now(), bytes);
    // Moving bytes mean that the wait is over.
    report({ sent: bytes, speed: pace.perSecond(), waiting: null });
  };
  const retryOptions = { signal, onWait: (waiting: Waiting | null) => report({ waiting }) };
  const upload = order.upload ?? (await retryUntilDone(() => foundOrBegun(masterid, order), retryOptions));
  order.onUpload(upload);
  const params = { uploadid: upload.id };
  // An unstable connection gets small chunks, a stable one larger ones.
  let pieceBytes = upload.mostPiece;
  for (let at = upload.received; at < file.size;) {
    sent(at);
    at = await retryUntilDone(async (failures) => {
      // The chunk may have arrived although its answer did not.
      const start = failures === 0 ? at : await receivedOf(upload.id, signal);
      if (start >= file.size) return start;
      pieceBytes = failures === 0 ? Math.min(upload.mostPiece, 2 * pieceBytes) : upload.leastPiece;
      const sha256 = await digestOf(await bytesOf(file, start, start + pieceBytes));
      // A slice of the file itself: the browser reads it from disk while sending, without a copy in memory.
      const piece = { part: file.slice(start, start + pieceBytes), start, sha256 };
      return sendPiece(upload, piece, { onBytes: (bytes) => sent(start + bytes), signal });
    }, retryOptions);
  }
  sent(file.size);
  const finish = () => inTime(signal, (limited) => call(api.finishImportUpload, { params, signal: limited }));
  return (await retryUntilDone(finish, retryOptions)).runid;
}

const receivedOf = async (uploadid: string, signal: AbortSignal): Promise<number> =>
  (await inTime(signal, (limited) => call(api.importUpload, { params: { uploadid }, signal: limited }))).received;

async function foundOrBegun(masterid: string, { file, options, signal }: Order): Promise<ImportUpload> {
  const params = { masterid };
  for (const upload of await inTime(signal, (limited) => call(api.importUploads, { params, signal: limited })))
    if (textOf(upload.options) === textOf(options) && (await isSameFile(file, upload))) return upload;
  const body = {
    name: nameOf(file),
    size: file.size,
    modified: modifiedOf(file),
    options,
    ...(file.type === '' ? {} : { type: file.type }),
  };
  return inTime(signal, (limited) => call(api.beginImportUpload, { params, body, signal: limited }));
}

const nameOf = (file: File): string => file.name.slice(0, 200);
/** Returns milliseconds, at least 0: in some time zones, reproducible archives have dates before 1970. */
const modifiedOf = (file: File): number => Math.max(0, file.lastModified);
/** Serializes options; an option that was chosen and cleared counts as absent. */
const textOf = (options: ImportOptions): string =>
  JSON.stringify(
    Object.entries(options)
      .filter(([, value]) => value !== undefined)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );

/** Aborts a request without an answer in time as a broken connection: on a dead one it may hang for minutes. */
async function inTime<T>(signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const time = AbortSignal.timeout(SILENT_MS);
  try {
    return await ask(AbortSignal.any([signal, time]));
  } catch (error) {
    signal.throwIfAborted();
    throw time.aborted ? lostConnection() : error;
  }
}

async function bytesOf(file: File, start: number, end: number): Promise<ArrayBuffer> {
  try {
    return await file.slice(start, end).arrayBuffer();
  } catch (cause) {
    throw new CallError(
      0,
      {
        code: 'file_unreadable',
        message:
          'Die Datei lässt sich nicht mehr lesen; vielleicht wurde sie inzwischen geändert oder verschoben. Bitte wählen Sie sie noch einmal.',
        requestId: '',
      },
      cause,
    );
  }
}

async function digestOf(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Sends a chunk and returns the bytes that the server then has. By XMLHttpRequest, because fetch cannot report progress. */
async function sendPiece(
  { id: uploadid }: ImportUpload,
  { part, start, sha256 }: { part: Blob; start: number; sha256: string },
  { onBytes, signal }: { onBytes: (bytes: number) => void; signal: AbortSignal },
): Promise<number> {
  const wanted = api.sendImportPiece;
  await shapeOf(wanted);
  const query = `?offset=${start}&sha256=${sha256}`;
  signal.throwIfAborted();
  const request = open(wanted, { uploadid }, query);
  request.setRequestHeader('content-type', 'application/octet-stream');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = () => request.abort();
  let silence = setTimeout(stop, SILENT_MS);
  request.upload.onprogress = ({ loaded }) => {
    clearTimeout(silence);
    silence = setTimeout(stop, SILENT_MS);
    onBytes(loaded);
  };
  request.onload = () => resolve();
  request.onerror = () => reject(lostConnection());
  request.onabort = () => reject(signal.aborted ? signal.reason : lostConnection());
  signal.addEventListener('abort', stop, { once: true });
  try {
    request.send(part);
    await promise;
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', stop);
  }
  try {
    return (await readAnswer(wanted, request.status, request.responseText)).received;
  } catch (error) {
    // Somebody else sends it too, or it had arrived.
    if (!(error instanceof CallError) || error.code !== 'offset_conflict') throw error;
    return receivedOf(uploadid, signal);
  }
}
