import { api } from '#shared/http/api.ts';
import type { ExportTable } from '#shared/assignments/schema.ts';
import { type AnswerOf, type Call, pathOf } from '#shared/http/call.ts';
import type { ImportOptions } from '#shared/import/schema.ts';
import type { OrderFileCounts } from '#shared/orders/intake.ts';
import type { TargetUpload } from '#shared/targets/schema.ts';
import { lostConnection, readAnswer, shapeOf } from '#client/call.ts';

/** The source of an import: a local file or an address that the server fetches. */
export type ImportSource = { file: File } | { url: string };

type Upload = {
  source: ImportSource;
  options: ImportOptions;
  onProgress: (share: number) => void;
  signal: AbortSignal;
};

/**
 * Starts an import. An upload uses XMLHttpRequest because fetch cannot report progress; `onProgress` gets the sent share, 0 to 1.
 * @returns the number of the run @throws CallError as `call` does; an abort is thrown unchanged
 */
export async function startImport(masterid: string, { source, options, onProgress, signal }: Upload): Promise<string> {
  const wanted = api.import;
  await shapeOf(wanted);
  const request = open(wanted, { masterid });
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
  // The options come first, so that the server knows them before the file streams in.
  const body =
    'file' in source ? { options: JSON.stringify(options), file: source.file } : { url: source.url, options };
  await sent(request, body, signal);
  return (await readAnswer(wanted, request.status, request.responseText)).runid;
}

/**
 * Uploads a channel's list of targets: a file, the file at an address, or the list of another export. An abort is thrown unchanged.
 */
export async function uploadTargets(
  params: { id: string; table: ExportTable },
  list: { file: File } | { url: string } | { from: string },
  signal: AbortSignal,
): Promise<TargetUpload> {
  const wanted = api.uploadTargets;
  await shapeOf(wanted);
  const request = open(wanted, params);
  await sent(request, list, signal);
  return readAnswer(wanted, request.status, request.responseText);
}

/** Uploads a file with the orders of a channel. */
export async function uploadOrders(channel: string, file: File): Promise<OrderFileCounts> {
  const wanted = api.importOrders;
  await shapeOf(wanted);
  const request = open(wanted, {}, `?channel=${encodeURIComponent(channel)}`);
  await sent(request, { file });
  return readAnswer(wanted, request.status, request.responseText);
}

/** Reads the largest sheet of a workbook as CSV. */
export async function uploadWorkbook(file: File): Promise<AnswerOf<typeof api.readWorkbook>> {
  const wanted = api.readWorkbook;
  await shapeOf(wanted);
  const request = open(wanted, {});
  await sent(request, { file });
  return readAnswer(wanted, request.status, request.responseText);
}

/** Opens a request of our API that can report progress. */
export function open(wanted: Call, params: Record<string, string>, query = ''): XMLHttpRequest {
  const request = new XMLHttpRequest();
  request.open(wanted.method, pathOf(wanted, params) + query);
  request.setRequestHeader('x-kontor', '1');
  request.setRequestHeader('accept', 'application/json');
  return request;
}

/**
 * Sends multipart if a file is among the members, else JSON. Closing the page would abort a file upload, so the browser asks
 * before. @throws CallError if no answer came; the reason of an abort
 */
function sent(request: XMLHttpRequest, body: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const answered = Promise.withResolvers<void>();
  request.onabort = () => answered.reject(signal?.reason);
  signal?.addEventListener('abort', () => request.abort(), { once: true });
  request.onload = () => answered.resolve();
  request.onerror = () => answered.reject(lostConnection());
  if (Object.values(body).some((value) => value instanceof File)) {
    const form = new FormData();
    for (const [name, value] of Object.entries(body)) form.append(name, value instanceof File ? value : String(value));
    const stay = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', stay);
    request.onloadend = () => removeEventListener('beforeunload', stay);
    request.send(form);
  } else {
    request.setRequestHeader('content-type', 'application/json');
    request.send(JSON.stringify(body));
  }
  return answered.promise;
}
