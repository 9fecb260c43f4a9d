import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { MOST_ACTIONS } from '#shared/live/component-protocol.ts';
import { LiveData } from '#shared/live/components.ts';
import { KontorError } from '#platform/errors.ts';
import { unreadableForm } from '#platform/http/error-body.ts';
import { parsedOrRefused } from './refusals.ts';
import { fileOf, type FileRule, type UploadedFile } from './uploaded-file.ts';

/** Limits of a request: characters of `data`, its nesting depth, children that a page may name, files. */
const MOST_DATA = 256 * 1024;
const MOST_DEPTH = 10;
const MOST_CHILDREN = 200;
const MOST_FILES = 5;
/** Property names that reach an object's prototype. */
const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype']);

type Rules = Readonly<Record<string, FileRule>>;

/**
 * Parses the form of a request (LVC-01): `data` as JSON, everything else as files that the component accepts.
 * @throws KontorError
 */
export async function readForm(
  request: FastifyRequest,
  rules: Rules = {},
): Promise<{ data: LiveData; files: UploadedFile[] }> {
  if (!request.isMultipart())
    throw new KontorError(415, 'media_type', 'Erwartet wird ein Formular (multipart/form-data) mit dem Feld „data“.');
  let data: LiveData | undefined;
  const files: UploadedFile[] = [];
  const mostBytes = Math.max(1, ...Object.values(rules).map((rule) => rule.mostBytes));
  try {
    const limits = { files: MOST_FILES, fields: 1, parts: MOST_FILES + 1, fieldSize: MOST_DATA, fileSize: mostBytes };
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') files.push(await readFile(part, rules));
      else if (part.fieldname !== 'data' || typeof part.value !== 'string') throw unknownPart();
      else if (part.valueTruncated) throw tooLarge();
      else data = readData(part.value);
    }
  } catch (error) {
    if (error instanceof KontorError) throw error;
    throw isLimit(error) ? tooLarge() : unreadableForm(error);
  }
  if (data === undefined) throw unreadableForm(undefined);
  return { data, files };
}

/** Parses `data`. @throws KontorError if it is no JSON, too deep, too large, or of another shape */
export function readData(text: string): LiveData {
  if (text.length > MOST_DATA) throw tooLarge();
  const value = jsonOf(text);
  refuseHostile(value, MOST_DEPTH);
  if (countOf(value, 'actions') > MOST_ACTIONS)
    throw new KontorError(422, 'live_batch', 'Das sind zu viele Aktionen auf einmal. Es wurde keine ausgeführt.');
  if (countOf(value, 'children') > MOST_CHILDREN) throw tooLarge();
  return parsedOrRefused(LiveData, value);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreadableForm(error);
  }
}

function refuseHostile(value: unknown, depth: number): void {
  if (typeof value === 'string' && value.includes('\0')) throw hostile();
  if (typeof value !== 'object' || value === null) return;
  if (depth === 0) throw hostile();
  for (const [name, inner] of Object.entries(value)) {
    if (forbiddenNames.has(name) || name.includes('\0')) throw hostile();
    refuseHostile(inner, depth - 1);
  }
}

function countOf(value: unknown, name: string): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
  return typeof inner === 'object' && inner !== null ? Object.keys(inner).length : 0;
}

async function readFile(part: MultipartFile, rules: Rules): Promise<UploadedFile> {
  const rule = Object.hasOwn(rules, part.fieldname) ? rules[part.fieldname] : undefined;
  if (rule === undefined) throw unknownPart();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of part.file) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > rule.mostBytes) throw tooLarge();
    chunks.push(chunk);
  }
  if (part.file.truncated) throw tooLarge();
  const file = fileOf(part.fieldname, Buffer.concat(chunks), rule.kinds);
  if (file === undefined)
    throw new KontorError(
      422,
      'live_file_type',
      `Die Datei ist ihrem Inhalt nach keine der erlaubten Arten (${rule.kinds.join(', ').toUpperCase()}).`,
    );
  return file;
}

const isLimit = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^FST_(?:FILES|FIELDS|PARTS)_LIMIT|FST_REQ_FILE_TOO_LARGE$/.test(String(error.code));

const tooLarge = () => new KontorError(413, 'too_large', 'Die Anfrage ist zu groß. Es wurde nichts geändert.');
const hostile = () => new KontorError(400, 'unreadable', 'Die Anfrage ist nicht lesbar. Es wurde nichts geändert.');
const unknownPart = () =>
  new KontorError(422, 'live_part', 'Das Formular enthält einen Teil, den diese Ansicht nicht annimmt.');
