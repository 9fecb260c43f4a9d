import { z } from 'zod';
import { ALL_ITEMS, AttributeField, AttributeGroup, AttributeRow, AttributeValue } from './schema.ts';
import type { Call } from '#shared/http/call.ts';
import { exportid, id } from '#shared/http/call-parts.ts';
import { wireText } from '#shared/values/schema.ts';

const page = {
  id,
  pageLimit: z.coerce.number().int().min(1).max(200).default(20),
  page: z.coerce.number().int().min(0).max(1_000_000).default(0),
};
const flag = z.union([
  z.boolean(),
  z.enum(['true', 'false', '1', '0', '']).transform((text) => text === 'true' || text === '1'),
]);

export const attributeCalls = {
  /** Lists the attributes of a category's items, page by page (ATT-05). */
  attributes: {
    method: 'POST',
    path: '/apis/attributes/data/',
    summary: 'Attribute der Artikel einer Kategorie, seitenweise',
    access: 'read',
    form: true,
    body: z.object({ ...page, typ: wireText(500), cat: wireText(500) }),
    response: z.object({
      data: z.array(AttributeRow),
      fieldlist: z.array(AttributeField),
      listlength: z.number().int(),
      error: z.string(),
    }),
    question: 'catalogue',
  },
  /** Sets an attribute (ATT-05). `selector` is the category, or `all`; `type` its product type. */
  setAttribute: {
    method: 'POST',
    path: '/api/attribute/field/update/',
    summary: 'Wert eines Attributs für die Artikel einer Kategorie setzen',
    access: 'edit',
    ifMatch: true,
    form: true,
    body: z.object({
      ...page,
      target: AttributeValue.shape.target,
      selector: z.string().min(1).max(500).default(ALL_ITEMS),
      variant: flag.default(false),
      /** A plain text counts as one part. */
      value: z.union([
        z
          .string()
          .max(100_000)
          .transform((value): z.input<typeof AttributeValue.shape.value> => [{ type: '_string', value }])
          .pipe(AttributeValue.shape.value),
        AttributeValue.shape.value,
      ]),
      type: wireText(500),
    }),
    response: z.object({ data: z.array(AttributeRow), listlength: z.number().int(), revision: z.number().int() }),
  },
  attributeGroups: {
    method: 'GET',
    path: '/api/exports/{id}/attributes/groups',
    summary: 'Kategorien eines Exports mit der Zahl ihrer Artikel und gesetzten Attribute',
    access: 'read',
    params: exportid,
    response: z.object({
      groups: z.array(AttributeGroup),
      items: z.number().int(),
      /** The export has no construction: it sends every field of the catalogue, then the attributes. */
      passesThrough: z.boolean(),
      revision: z.number().int(),
    }),
    question: 'catalogue',
  },
} as const satisfies Record<string, Call>;
