import IconBookmark from 'virtual:icons/bookmark';
import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useNavigation } from 'react-router';
import type { SavedView, ViewPlace } from '#shared/saved-views/schema.ts';
import { askedSearch } from '#client/paths/asked-address.ts';
import { Badge } from '#client/ui/badge.tsx';
import { useMay } from '#client/shell/session.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { Disclosure } from '#client/ui/disclosure.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { NameDialog } from './name-dialog.tsx';
import classes from './saved-views.module.css';
import { useSavedViews } from './use-saved-views.ts';
import { NO_VIEW, sameQuery } from './view-address.ts';
import { ViewMenu } from './view-menu.tsx';

export type ViewFields = SavedView['fields'];
/** The part of a stored view that the table can still show, and the names of what no longer exists. */
export type FittingView = { query: URLSearchParams; gone: readonly string[] };

type SavedViewsProps = ViewPlace & {
  /** The table's query from the URL, without the page number and the view. */
  query: URLSearchParams;
  /** The fields whose ids the query contains. */
  fields?: ViewFields;
  /** Id of the view in the URL, '' for none. */
  opened: string;
  /** The URL has no query for the table: the standard view may be applied. */
  untouched: boolean;
  /** As low as the small buttons beside it. */
  small?: boolean;
  fit: (query: URLSearchParams, fields: ViewFields) => FittingView;
  /** Shows a query as the view of this id. `replace`: not a step of the user, so it adds no entry to the browser's history. */
  onOpen: (query: URLSearchParams, view: string, replace: boolean) => void;
  /** Called when it is known that no standard view will be opened. */
  onNone?: () => void;
};
type ViewDialog = { kind: 'add' } | { kind: 'rename' | 'remove'; view: SavedView };

/** Named views of a table: opens, saves, renames, shares and deletes them. Users without read permission (shippers) have none. */
export function SavedViews(props: SavedViewsProps) {
  return useMay('read') ? <ViewsOfTable {...props} /> : null;
}

function ViewsOfTable(props: SavedViewsProps) {
  const { table, masterid, query, fields = [], opened, untouched, small = false, fit, onOpen, onNone } = props;
  const views = useSavedViews({ table, masterid });
  const [dialog, setDialog] = useState<ViewDialog | null>(null);
  const [removedIds, setRemovedIds] = useState<readonly string[]>([]);
  const { list } = views;
  const current = list?.views.find(({ id }) => id === opened);
  const stored = current && fit(new URLSearchParams(current.query), current.fields);
  const changed = stored !== undefined && (!sameQuery(stored.query, query) || stored.gone.length > 0);
  const open = (view: SavedView | null, replace = false) => {
    if (view === null) {
      setRemovedIds([]);
      onOpen(new URLSearchParams(), list?.standard == null ? '' : NO_VIEW, replace);
      return;
    }
    const fitting = fit(new URLSearchParams(view.query), view.fields);
    setRemovedIds(fitting.gone);
    onOpen(fitting.query, view.id, replace);
  };
  const shown = useLocation();
  const coming = useNavigation().location;
  const begin = useEffectEvent(() => {
    const standard = list?.views.find(({ id }) => id === list.standard);
    // A search or filter whose rows are still loading is not in the address yet.
    const isAsked = askedSearch(shown, coming) !== shown.search;
    if (standard !== undefined && untouched && !isAsked) open(standard, true);
    else onNone?.();
  });
  const known = list !== null ? 'views' : views.failure !== null ? 'failure' : '';
  useEffect(() => {
    if (known !== '') begin();
  }, [known]);
  const content = { query: query.toString(), fields: [...fields] };
  const close = () => setDialog(null);
  // As the list has it now: after somebody else's change the next attempt must name the new revision.
  const renamed =
    dialog?.kind === 'rename' ? (list?.views.find(({ id }) => id === dialog.view.id) ?? dialog.view) : undefined;
  return (
    <div className={classes.root}>
      <Disclosure
        className={small ? `${classes.opener} ${classes.small}` : classes.opener}
        button={
          <>
            <IconBookmark size={16} aria-hidden />
            <span className={classes.name}>Ansichten{current === undefined ? '' : `: ${current.name}`}</span>
          </>
        }
      >
        {(closeMenu) => (
          <ViewMenu
            views={views}
            current={current}
            changed={changed}
            onOpen={(view) => {
              closeMenu();
              open(view);
            }}
            onUpdate={(view) => {
              closeMenu();
              void views.change(view, content).then((saved) => saved !== null && setRemovedIds([]));
            }}
            onAsk={(next) => {
              closeMenu();
              setDialog(next);
            }}
          />
        )}
      </Disclosure>
      <ErrorNotice failure={views.failure} onRetry={views.retry} />
      {changed && <Badge tone="yellow">geändert</Badge>}
      <p role="status" className={classes.gone}>
        {removedIds.length > 0 &&
          `Diese Ansicht nennt, was es nicht mehr gibt: ${removedIds.join(', ')}. Gezeigt wird sie ohne diese Angaben.`}
      </p>
      {(dialog?.kind === 'add' || dialog?.kind === 'rename') && (
        <NameDialog
          view={renamed}
          onClose={close}
          onSave={async (name, shared) => {
            const saved =
              renamed === undefined
                ? await views.add({ ...content, name, shared })
                : await views.change(renamed, { name, shared });
            if (saved === null) return;
            close();
            if (dialog.kind === 'add') onOpen(query, saved.id, true);
          }}
        />
      )}
      <ConfirmDialog
        opened={dialog?.kind === 'remove'}
        question="Ansicht wirklich löschen?"
        confirm="Löschen"
        danger
        onClose={close}
        onConfirm={async () => {
          if (dialog?.kind !== 'remove') return;
          const removed = await views.remove(dialog.view);
          if (removed !== null) close();
        }}
      >
        {dialog?.kind === 'remove' && (
          <p className={classes.question}>
            {dialog.view.shared
              ? `„${dialog.view.name}“ verschwindet für alle in Ihrer Firma.`
              : `„${dialog.view.name}“ verschwindet.`}{' '}
            Die Daten der Tabelle bleiben, wie sie sind.
          </p>
        )}
      </ConfirmDialog>
    </div>
  );
}
