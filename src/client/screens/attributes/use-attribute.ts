import { useState } from 'react';
import { api } from '#shared/http/api.ts';
import { ALL_ITEMS, type AttributeField, AttributeValues } from '#shared/attributes/schema.ts';
import { sourceSentence } from '#shared/construction/difference.ts';
import { SourcePart } from '#shared/construction/schema.ts';
import { call, CallError } from '#client/call.ts';
import { fieldsShape } from '#client/editor/document-shape.ts';
import { newestRevision } from '#client/editor/newest-revision.ts';
import { useDocument } from '#client/editor/use-document.ts';
import { showSaved } from '#client/ui/notices.tsx';
import { type AttributesQuery, pageSize } from './attributes-query.ts';

/** The value of a field for the selected items, being edited. */
type AttributeDraft = { readonly parts: readonly SourcePart[]; readonly variant: boolean };

export const emptyText: SourcePart = { type: '_string', value: '', caption: '' };

const draftOf = (parts: readonly SourcePart[], variant: boolean): AttributeDraft => ({
  parts: parts.length > 0 ? parts : [emptyText],
  variant,
});

export const attributeShape = fieldsShape<AttributeDraft>({
  labels: { parts: 'Attribut-Wert', variant: 'Variantenattribut' },
  words: (path, value) =>
    path === 'parts' ? sourceSentence({ field: SourcePart.array().parse(value), valuetype: 'combine' }) : undefined,
});

type UseAttribute = {
  exportId: string;
  field: AttributeField;
  query: AttributesQuery;
  /** Filter of the selected items; '' if the URL names a category that the export does not have. */
  selector: string;
  /** Revision of all attributes of the export, which share one. */
  revision: number;
  onSaved: () => void;
};

/** An attribute as a form. */
export function useAttribute({ exportId, field, query, selector, revision, onSaved }: UseAttribute) {
  const [loaded] = useState(() => ({ document: draftOf(field.field, field.variants), revision }));
  return useDocument<AttributeDraft>({
    loaded,
    shape: attributeShape,
    send: async ({ parts, variant }, { revision: ifMatch, signal }) => {
      if (selector === '') throw unselected();
      const { page, typ: type } = query;
      const request = { id: exportId, pageLimit: pageSize, page, target: field.exportfield, selector, type };
      const body = { ...request, variant, value: parts.map(oneLine) };
      const saved = await call(api.setAttribute, { body, ifMatch, signal });
      return { revision: saved.revision };
    },
    newest: async () => {
      const document = { subject: 'attributes', scope: `export:${exportId}` } as const;
      const foreign = await newestRevision(document, (content) => AttributeValues.parse(content ?? []));
      const cat = selector === ALL_ITEMS ? '' : selector;
      const found = foreign.document.find(
        (one) => one.target === field.exportfield && one.cat === cat && one.typ === query.typ,
      );
      return { ...foreign, document: draftOf(found?.value ?? [], found?.variant ?? false) };
    },
    onSaved: () => {
      showSaved('Gespeichert');
      onSaved();
    },
  });
}

/** ATT-02: removes line breaks from fixed texts. */
export function oneLine(part: SourcePart): SourcePart {
  return part.type === '_string' ? { ...part, value: part.value.replaceAll(/[\r\n]+/g, ' ') } : part;
}

const unselected = () =>
  new CallError(422, { code: 'no_selection', message: 'Bitte wählen Sie zuerst eine Kategorie.', requestId: '' });
