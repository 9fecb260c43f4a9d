import { Alert, Button } from '@mantine/core';
import IconHelpCircle from 'virtual:icons/help-circle';
import { Link, type LoaderFunctionArgs, redirect, useLoaderData, useNavigation, useRevalidator } from 'react-router';
import { useState } from 'react';
import IconListDetails from 'virtual:icons/list-details';
import { api } from '#shared/http/api.ts';
import { ALL_ITEMS, type AttributeField, type AttributeGroup } from '#shared/attributes/schema.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { CallError } from '#client/call.ts';
import { FieldsProvider } from '#client/fields/values/fields-context.tsx';
import { HistoryLink } from '#client/fields/history-link.tsx';
import { asking } from '#client/loading.ts';
import { useMay } from '#client/shell/session.ts';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { AttributeModal } from './attribute-modal.tsx';
import { AttributeTable } from './attribute-table.tsx';
import { GroupSelect } from './group-select.tsx';
import { PageLinks } from './page-links.tsx';
import { type AttributesQuery, pageSize, readQuery, sameGroup, writeQuery } from './attributes-query.ts';

export async function loader(args: LoaderFunctionArgs) {
  const ask = asking(args);
  const id = args.params['id'] ?? '';
  const query = readQuery(new URL(args.request.url).searchParams);
  const [shown, selectable] = await Promise.all([
    ask(api.export, { params: { id } }),
    ask(api.mappingFields, { params: { id } }),
  ]);
  const groups = await shownFailure(() => ask(api.attributeGroups, { params: { id } }));
  const list = await shownFailure(() => ask(api.attributes, { body: { ...query, id, pageLimit: pageSize } }));
  const last = Math.max(0, Math.ceil((list.answer?.listlength ?? 0) / pageSize) - 1);
  // A page beyond the end, for example after an import of fewer items, redirects to the last one.
  if (list.answer !== null && query.page > last) {
    const search = writeQuery({ ...query, page: last });
    throw redirect(new URL(args.request.url).pathname + (search === '.' ? '' : search));
  }
  return {
    id,
    query,
    masterid: shown.masterid,
    name: shown.settings.name,
    fields: selectable.filter(({ type }) => type === '_field'),
    extra: selectable.filter(({ type }) => type !== '_field'),
    groups,
    list,
  };
}

/** ATT-06: returns a failure as text, so that the screen can show it and everything that did load. */
async function shownFailure<T>(ask: () => Promise<T>): Promise<{ answer: T | null; failure: string; code: string }> {
  try {
    return { answer: await ask(), failure: '', code: '' };
  } catch (error) {
    const failed = failedCallOf(error);
    if (failed === undefined) throw error;
    return { answer: null, failure: failed.message, code: failed.code };
  }
}

/** Extracts a failed call as a loader throws it; undefined for others, such as a redirect to the sign-in. */
function failedCallOf(error: unknown): { message: string; code: string } | undefined {
  if (error instanceof CallError) return error;
  if (typeof error !== 'object' || error === null || !('data' in error)) return undefined;
  const { data } = error;
  if (typeof data !== 'object' || data === null || !('message' in data)) return undefined;
  return { message: String(data.message), code: 'code' in data ? String(data.code) : '' };
}

/** Keyed by the export: an open dialog never reaches another. */
export default function AttributesPage() {
  const loaded = useLoaderData<typeof loader>();
  return <Attributes key={loaded.id} {...loaded} />;
}

/** ATT: values of export fields by category. */
function Attributes({ id, query, masterid, name, fields, extra, groups, list }: Awaited<ReturnType<typeof loader>>) {
  const mayEdit = useMay('edit');
  const [edited, setEdited] = useState<{ field: AttributeField; query: AttributesQuery } | null>(null);
  // The back button may lead to another category: the dialog belongs to the one it was opened for.
  if (edited !== null && !sameGroup(edited.query, query)) setEdited(null);
  const { revalidate } = useRevalidator();
  const busy = useNavigation().state !== 'idle';
  const items = groups.answer?.items ?? 0;
  // Before the first import, which is no error.
  const empty = list.code === 'no_items' || groups.code === 'no_items';
  const failure = empty ? '' : failureText(list, groups);
  const known = groups.answer?.groups ?? [];
  const selected = query.cat === '' || known.some(({ cat, typ }) => cat === query.cat && typ === query.typ);
  return (
    <FieldsProvider fields={fields} extra={extra}>
      <div className="k-stack">
        <PageHeader
          title={`Attribute · ${name}`}
          lead="Werte, die der Kanal für eine Kategorie verlangt und die kein Feld des Katalogs hergibt. Ein Wert gilt für alle Artikel der gewählten Kategorie."
          actions={<HistoryLink subject="attributes" scope={`export:${id}`} />}
        />
        {failure !== '' && (
          <ErrorNotice failure={{ title: 'Fehler', message: failure }} onRetry={() => void revalidate()} />
        )}
        {groups.answer?.passesThrough === true && <WholeCatalogue id={id} />}
        {empty ? <BeforeImport masterid={masterid} /> : <GroupSelect groups={known} items={items} query={query} />}
        {groups.answer !== null && !selected && <UnknownGroup query={query} groups={known} />}
        {list.answer !== null && list.answer.listlength === 0 && (
          <EmptyState icon={IconListDetails} title="Keine Artikel">
            <p>{list.answer.error || 'Der Export enthält keine Artikel.'}</p>
          </EmptyState>
        )}
        {list.answer !== null && list.answer.listlength > 0 && (
          <>
            <AttributeTable
              masterid={masterid}
              fields={list.answer.fieldlist}
              rows={list.answer.data}
              busy={busy}
              mayEdit={mayEdit}
              onEdit={(field) => setEdited({ field, query })}
            />
            <PageLinks query={query} total={list.answer.listlength} everything={query.cat === ''} />
          </>
        )}
        {edited !== null && (
          <AttributeModal
            key={edited.field.exportfield}
            exportId={id}
            {...edited}
            revision={groups.answer?.revision ?? 0}
            selector={selected ? query.cat || ALL_ITEMS : ''}
            where={known.find(({ cat, typ }) => cat === query.cat && typ === query.typ)?.name ?? 'alle Artikel'}
            onClose={() => setEdited(null)}
            onSaved={() => {
              setEdited(null);
              void revalidate();
            }}
          />
        )}
      </div>
    </FieldsProvider>
  );
}

const BeforeImport = ({ masterid }: { masterid: string }) => (
  <EmptyState
    icon={IconListDetails}
    title="Noch keine Artikel"
    action={
      <Button component={Link} to={pathTo(pages.import, { masterid })}>
        Zum Import
      </Button>
    }
  >
    <p>Attribute gelten für die Artikel des Katalogs. Bitte importieren Sie zuerst eine Datei.</p>
  </EmptyState>
);

/** Says at once what a save would refuse: the address names no category of the export. */
function UnknownGroup({ query: { cat, typ }, groups }: { query: AttributesQuery; groups: readonly AttributeGroup[] }) {
  const what = groups.some((group) => group.cat === cat)
    ? typ === ''
      ? `Die Adresse nennt die Kategorie „${cat}“ ohne ihren Produkttyp.`
      : `Die Kategorie „${cat}“ hat hier nicht den Produkttyp „${typ}“, den die Adresse nennt.`
    : `Kein Artikel dieses Exports hat die Kategorie „${cat}“ aus der Adresse.`;
  return (
    <Alert color="yellow" variant="outline" role="status" icon={<IconHelpCircle aria-hidden />}>
      {what} Werte lassen sich so nicht speichern. Bitte wählen Sie eine Kategorie aus der Liste.
    </Alert>
  );
}

/** What an attribute does without a construction, and a link to one with suggested sources. */
function WholeCatalogue({ id }: { id: string }) {
  return (
    <p className="k-muted">
      Dieser Export hat keinen Feldaufbau mit Quellen: Er gibt alle Felder des Katalogs unverändert aus. Attribute
      kommen als weitere Felder dahinter. Soll er stattdessen die Felder des Kanals ausgeben:{' '}
      <Link to={`/exports/${id}/feldaufbau?vorschlaege=1`}>Vorlage mit vorgeschlagenen Quellen ansehen</Link>.
    </p>
  );
}

type Loaded = { answer: object | null; failure: string };

/** ATT-06: returns the failure's message, else the server's, else that the error is unknown. */
function failureText(list: Loaded, groups: Loaded): string {
  const failed = [list, groups].find(({ answer }) => answer === null);
  if (failed === undefined) return '';
  return failed.failure === ''
    ? 'Unbekannter Fehler beim Laden der Daten'
    : `Fehler beim Laden der Daten: ${failed.failure}`;
}
