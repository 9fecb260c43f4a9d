import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FastifyRequest } from 'fastify';
import type { Egress } from '#platform/egress/egress.ts';
import { unprocessable } from '#platform/errors.ts';
import { uploadedFile } from '#platform/http/bodies/uploaded-file.ts';
import { isWorkbook } from '#shared/workbook/workbook.ts';
import { openEndText } from '#feed/import/open-end.ts';
import { safeUrl } from '#platform/telemetry/log.ts';
import { TARGET_LIMITS, TargetsFromElsewhere } from '#shared/targets/schema.ts';

/** A received list: its bytes and the display name of its source; or another export whose list is to be copied. */
export type ReceivedList = { bytes: Uint8Array; source: string } | { from: string };

/** Returns the request's file, or the file at the address it names; a download is written to `path` first. */
export async function receiveList(request: FastifyRequest, egress: Egress, path: string): Promise<ReceivedList> {
  if (request.isMultipart()) return fromUpload(request);
  const parsed = TargetsFromElsewhere.safeParse(request.body);
  if (!parsed.success)
    throw unprocessable(
      'invalid',
      'Bitte eine Datei hochladen, eine Adresse {url} oder einen anderen Export {from} angeben.',
    );
  if ('from' in parsed.data) return parsed.data;
  const { url } = parsed.data;
  await mkdir(dirname(path), { recursive: true });
  try {
    const { endKnown } = await egress.download(url, path, { maxBytes: TARGET_LIMITS.bytes });
    const bytes = await readFile(path);
    // A download without a line end may be cut: a truncated JSON list or workbook fails to parse, but a list of lines does not.
    if (!endKnown && !isWorkbook(bytes) && ![0x0a, 0x0d, 0x5d, 0x7d].includes(bytes.at(-1) ?? 0))
      throw unprocessable('download_cut', `${openEndText} Die bisherige Liste gilt weiter.`);
    return { bytes, source: safeUrl(url) };
  } finally {
    await rm(path, { force: true });
  }
}

async function fromUpload(request: FastifyRequest): Promise<ReceivedList> {
  const tooLarge = 'Die Liste ist größer als 64 MB.';
  const file = await uploadedFile(request, { mostBytes: TARGET_LIMITS.bytes, tooLarge });
  const name = file.name.split(/[\\/]/).pop()?.slice(0, 200);
  return { bytes: file.bytes, source: name === undefined || name === '' ? 'Datei' : name };
}
