import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { ImportFromAddress, importOptionsSchema, type ImportOptions } from '#shared/import/schema.ts';
import { KontorError, unprocessable } from '#platform/errors.ts';
import { safeUrl } from '#platform/telemetry/log.ts';
import { fileTooLarge } from './file-limits.ts';

/** What a request contained: a file, now stored, or an address to download. */
export type Received = {
  source: string;
  contentType: string | undefined;
  url: string | undefined;
  /** SHA-256 of an uploaded file's bytes. */
  digest: string | undefined;
  options: ImportOptions;
};

/** Maximum size of the options in bytes. */
const MAX_OPTIONS = 100_000;
/** Bytes that a form may hold in addition to its file. */
const MAX_AROUND = 1024 * 1024;

/**
 * Reads an import request: multipart with `file` and `options` (JSON, as text or as a part of that type, in either order),
 * streamed into the store, or JSON {url, options}. The file is on the disk or in the bucket before the response, so an
 * acknowledged upload survives a crash. A request whose announced size exceeds `most` bytes is refused before it is read.
 */
export async function receive(
  request: FastifyRequest,
  { store }: StoragePaths,
  path: string,
  most: number,
): Promise<Received> {
  if (!request.isMultipart()) return fromAddress(request.body);
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > most + MAX_AROUND) throw fileTooLarge(413, most);
  let file: { name: string; type: string } | undefined;
  const hash = createHash('sha256');
  let options: ImportOptions = {};
  try {
    for await (const part of request.parts({
      limits: { files: 2, fields: 5, fieldSize: MAX_OPTIONS, fileSize: most },
    })) {
      if (part.type === 'field') {
        // A part of type JSON without a file name is already parsed.
        if (part.fieldname === 'options')
          options = readOptions(typeof part.value === 'string' ? parseOptions(part.value) : part.value);
        continue;
      }
      if (part.fieldname === 'options') {
        options = readOptions(parseOptions(await textOf(part.file)));
        continue;
      }
      if (file !== undefined) throw unreadable();
      const { file: content } = part;
      async function* counted(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          yield chunk;
        }
      }
      await store.receive(path, counted(content), announced > 0 ? announced : most);
      if (part.file.truncated) throw fileTooLarge(413, most);
      file = { name: part.filename, type: part.mimetype };
    }
    if (!file)
      throw unprocessable('no_file', 'Es wurde keine Datei mitgeschickt. Bitte eine Datei auswählen.', [
        { field: 'file', message: 'fehlt' },
      ]);
  } catch (error) {
    await store.remove([path]);
    throw error instanceof KontorError ? error : brokenUpload(error, most);
  }
  return { source: shownName(file.name), contentType: file.type, url: undefined, digest: hash.digest('hex'), options };
}

/** Reads the options from a part: browsers give a part with a content type a file name as well. */
async function textOf(file: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const part of file) {
    bytes += part.length;
    if (bytes > MAX_OPTIONS) throw noOptions();
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const unreadable = (cause?: unknown) =>
  new KontorError(
    400,
    'upload_unreadable',
    'Die hochgeladene Anfrage ist nicht lesbar. Erwartet werden eine Datei „file“ und die Angaben „options“.',
    { cause },
  );
const noOptions = (cause?: unknown) =>
  new KontorError(422, 'options_unreadable', 'Die Angaben zum Import (options) sind kein lesbares JSON.', { cause });

function brokenUpload(error: unknown, most: number): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'FST_REQ_FILE_TOO_LARGE') return fileTooLarge(413, most);
  if (code === 'FST_INVALID_JSON_FIELD_ERROR') return noOptions(error);
  if (code.startsWith('FST_')) return unreadable(error);
  if (code === 'ENOSPC') return error;
  return uploadCut(error);
}

export const uploadCut = (cause: unknown) =>
  new KontorError(400, 'upload_cut', 'Das Hochladen brach vorzeitig ab. Bitte erneut versuchen.', { cause });

function fromAddress(body: unknown): Received {
  const parsed = ImportFromAddress.safeParse(body);
  if (!parsed.success) {
    throw unprocessable(
      'invalid',
      'Bitte eine Datei hochladen oder eine Adresse angeben: {url, options}.',
      parsed.error.issues.map((issue) => ({ field: issue.path.join('.'), message: issue.message })),
    );
  }
  return {
    source: safeUrl(parsed.data.url),
    contentType: undefined,
    url: parsed.data.url,
    digest: undefined,
    options: parsed.data.options,
  };
}

function parseOptions(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text);
  } catch (error) {
    throw noOptions(error);
  }
}

function readOptions(value: unknown): ImportOptions {
  const parsed = importOptionsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map((issue) => ({
    field: `options.${issue.path.join('.')}`,
    message: issue.message,
  }));
  throw unprocessable(
    'invalid',
    `Die Angaben zum Import sind falsch (${fields[0]?.field}: ${fields[0]?.message}).`,
    fields,
  );
}

/** Returns the client's file name for display and for guessing the file type; never used as a path. */
export const shownName = (name: string | undefined) => (name ?? '').split(/[\\/]/).pop()?.slice(0, 200) || 'Datei';
