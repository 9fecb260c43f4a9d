import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { readUploaded } from '#platform/http/bodies/read-uploaded.ts';
import { uploadedFile } from '#platform/http/bodies/uploaded-file.ts';
import type { WorkbookDeps } from '#platform/http/bodies/workbook-upload.ts';
import { route } from '#platform/http/server.ts';
import { textOfBytes } from '#platform/text/text-of-bytes.ts';
import { workbookTooLarge } from './workbook-tables.ts';

const file = { mostBytes: 20 * 1024 * 1024, tooLarge: 'Die Datei ist größer als 20 MB. Bitte teilen Sie sie.' };
/** Characters of the answered sheet: far more than a table of 100,000 rows that a page accepts. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** For pages that read tables themselves: they cannot read workbooks. */
export function workbookRoutes(app: FastifyInstance, { workbookReader }: WorkbookDeps): void {
  route(app, api.readWorkbook, async ({ principal, request, signal }) => {
    const { bytes } = await uploadedFile(request, file);
    const tables = await readUploaded(workbookReader, bytes, principal, signal);
    if (!Array.isArray(tables)) {
      const text = textOfBytes(tables.file);
      if (text.length > MOST_CHARACTERS) throw workbookTooLarge();
      return { sheet: tables.name, text, notes: [], others: [] };
    }
    const [first, ...others] = tables;
    if (first === undefined || first.text.length > MOST_CHARACTERS) throw workbookTooLarge();
    const { sheet, text, notes } = first;
    return { sheet, text, notes: [...notes], others: others.map((one) => one.sheet) };
  });
}
