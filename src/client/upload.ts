import { api } from '#shared/api.ts';
import { pathOf } from '#shared/call.ts';
import type { ImportOptions } from '#shared/import.ts';
import { lostConnection, readAnswer } from './call.ts';

/** What an import is made of: a file of this computer or an address the server fetches. */
export type ImportSource = { file: File } | { url: string };

type Upload = {
  source: ImportSource;
  options: ImportOptions;
  onProgress: (share: number) => void;
  signal: AbortSignal;
};

/**
 * Starts an import. An upload goes by XMLHttpRequest because fetch cannot tell how far it is; `onProgress` gets the
 * sent share, 0 to 1.
 * @returns the number of the run @throws CallError as `call` does; an abort is thrown as it is
 */
export async function startImport(masterid: string, { source, options, onProgress, signal }: Upload): Promise<string> {
  const wanted = api.import;
  const request = new XMLHttpRequest();
  request.open(wanted.method, pathOf(wanted, { masterid }));
  request.setRequestHeader('x-kontor', '1');
  request.setRequestHeader('accept', 'application/json');
  const answered = Promise.withResolvers<void>();
  request.onload = () => answered.resolve();
  request.onerror = () => answered.reject(lostConnection());
  request.onabort = () => answered.reject(signal.reason);
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
  signal.addEventListener('abort', () => request.abort(), { once: true });
  if ('file' in source) {
    const form = new FormData();
    // The options come first, so that the server knows them before the file streams in.
    form.append('options', JSON.stringify(options));
    form.append('file', source.file);
    request.send(form);
  } else {
    request.setRequestHeader('content-type', 'application/json');
    request.send(JSON.stringify({ url: source.url, options }));
  }
  await answered.promise;
  readAnswer(wanted, request.status, request.responseText);
  return wanted.response.parse(JSON.parse(request.responseText)).runid;
}
