import { Button } from '@mantine/core';
import IconArrowsExchange from 'virtual:icons/arrows-exchange';
import IconPlus from 'virtual:icons/plus';
import { useCallback, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import type { Mapping, MappingExcerpt } from '#shared/assignments/schema.ts';
import { LoadingRows } from '#client/fields/assignments/table/loading-rows.tsx';
import { UnknownEntry } from '#client/fields/rule-list/unknown-entry.tsx';
import { HistoryLink } from '#client/fields/history-link.tsx';
import { useMay } from '#client/shell/session.ts';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { MappingForm } from './mapping-form.tsx';
import { MappingList } from './mapping-list.tsx';
import type { LoadedMappings } from './mapping-loading.ts';
import { mappingPath } from './mapping-path.ts';
import table from '#client/fields/assignments/assignments.module.css';
import classes from './mappings.module.css';
import { useFreshMapping } from './use-fresh-mapping.ts';
import { useMappings } from './use-mappings.ts';

/** MAP, SWM: a list of mappings next to the editor of the selected one. */
export function MappingManager({ loaded }: { loaded: LoadedMappings }) {
  const { kind, masterid, name, fields } = loaded;
  const form = useMappings(loaded);
  const mayEdit = useMay('edit');
  const navigate = useNavigate();
  const { mappingid } = useParams();
  const { fresh, waiting, stored, add, copy } = useFreshMapping({ kind, masterid, mappings: form.mappings });
  const mapping = useVisibleMappings(fresh, form.mappings, mappingid);
  const { nameOf, onName } = useTypedName();
  const select = async (next: string | undefined) =>
    navigate(mappingPath(kind, masterid, next), { preventScrollReset: true });
  return (
    <div className={`k-stack ${table.page}`}>
      <PageHeader
        title={kind === 'value' ? `Mappings · ${name}` : `Shopsystem-Mappings · ${name}`}
        lead="Ein Mapping gibt Artikeln einen Wert, den Regeln, spätere Mappings und der Feldaufbau unter seinem Namen lesen."
        actions={
          <>
            <nav className={classes.tabs} aria-label="Art der Mappings">
              <Link to={mappingPath('value', masterid)} aria-current={kind === 'value' ? 'page' : undefined}>
                Werte
              </Link>
              <Link to={mappingPath('shop', masterid)} aria-current={kind === 'shop' ? 'page' : undefined}>
                Shopsystem
              </Link>
            </nav>
            <HistoryLink subject="mappings" scope={`master:${masterid}`} />
          </>
        }
      />
      <ErrorNotice failure={form.failure} onClose={form.closeFailure} />
      {fresh === undefined && <UnknownEntry what="Das Mapping" wanted={mappingid} entries={form.mappings} />}
      {mapping === undefined ? (
        <EmptyState
          icon={IconArrowsExchange}
          title="Noch kein Mapping angelegt"
          action={
            mayEdit && (
              <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
                Neue
              </Button>
            )
          }
        >
          <p>Ein Mapping übersetzt Werte, zum Beispiel „navy“ und „marine“ in „Blau“.</p>
        </EmptyState>
      ) : (
        <div className={classes.columns}>
          <MappingList
            kind={kind}
            masterid={masterid}
            form={form}
            draft={fresh}
            selected={mapping}
            nameOf={nameOf}
            mayEdit={mayEdit}
            onAdd={add}
            onCopy={copy}
            onSelect={select}
          />
          {waiting ? (
            <LoadingRows there={0} missing={mapping.total} {...form.filling} />
          ) : (
            <MappingForm
              key={mapping.id}
              mapping={mapping}
              form={form}
              masterid={masterid}
              fields={fields}
              fresh={fresh !== undefined}
              otherNames={loaded.otherNames}
              onName={onName}
              onStored={stored}
              mayEdit={mayEdit}
            />
          )}
        </div>
      )}
    </div>
  );
}

/** Names of mappings in the list: the one being edited has its name from the form. MAP-01: '...' if it has no name. */
function useTypedName() {
  const [typed, setTyped] = useState({ id: '', name: '' });
  const onName = useCallback((id: string, name: string) => setTyped({ id, name }), []);
  const nameOf = (mapping: Mapping): string => {
    const name = mapping.id === typed.id ? typed.name : mapping.name;
    return name.trim() === '' ? '...' : name;
  };
  return { nameOf, onName };
}

/**
 * Returns the mapping shown next to the list. Without one in the URL it is the first, and stays the one shown first: sorting the
 * list must not replace it, together with its unsaved edits.
 */
function useVisibleMappings(
  fresh: MappingExcerpt | undefined,
  mappings: readonly MappingExcerpt[],
  mappingid: string | undefined,
): MappingExcerpt | undefined {
  const [shown, setShown] = useState<string | undefined>();
  const named = (id: string | undefined) => mappings.find((one) => one.id === id);
  const mapping = fresh ?? named(mappingid) ?? named(shown) ?? mappings[0];
  if (mapping?.id !== shown) setShown(mapping?.id);
  return mapping;
}
