import IconCheck from 'virtual:icons/check';
import IconStar from 'virtual:icons/star';
import IconUsers from 'virtual:icons/users';
import type { ReactNode } from 'react';
import type { SavedView } from '#shared/saved-views/schema.ts';
import { useMay } from '#client/shell/session.ts';
import classes from './saved-views.module.css';
import type { SavedViewActions } from './use-saved-views.ts';

type ViewMenuProps = {
  views: SavedViewActions;
  /** The view that is shown. */
  current: SavedView | undefined;
  changed: boolean;
  onOpen: (view: SavedView | null) => void;
  onUpdate: (view: SavedView) => void;
  onAsk: (asking: { kind: 'add' } | { kind: 'rename' | 'remove'; view: SavedView }) => void;
};

/** Lists the views by name, and below them the actions on the current one. */
export function ViewMenu({ views, current, changed, onOpen, onUpdate, onAsk }: ViewMenuProps) {
  const mayEdit = useMay('edit');
  const { list } = views;
  const mayChange = current !== undefined && (current.own || mayEdit) && (!current.shared || mayEdit);
  const isStandard = current !== undefined && list?.standard === current.id;
  return (
    <div className={classes.menu}>
      {list?.views.length === 0 && <p className={classes.note}>Noch keine Ansicht gespeichert.</p>}
      {list !== null && list.views.length > 0 && (
        <ul className={classes.list} aria-label="Gespeicherte Ansichten">
          {list.views.map((view) => (
            <li key={view.id}>
              <Item onClick={() => onOpen(view)} current={view === current}>
                <span className={classes.name}>{view.name}</span>
                <Marks view={view} standard={list.standard === view.id} current={view === current} />
              </Item>
            </li>
          ))}
          <li>
            <Item onClick={() => onOpen(null)}>Ohne Ansicht</Item>
          </li>
        </ul>
      )}
      <div className={classes.actions}>
        {current !== undefined && (
          <>
            {mayChange && changed && <Item onClick={() => onUpdate(current)}>Ansicht aktualisieren</Item>}
            {mayChange && (
              <Item onClick={() => onAsk({ kind: 'rename', view: current })}>Umbenennen oder teilen …</Item>
            )}
            <Item onClick={() => void views.setStandard(current, !isStandard)}>
              {isStandard ? 'Nicht mehr als Standard' : 'Als Standard für mich'}
            </Item>
            {mayChange && <Item onClick={() => onAsk({ kind: 'remove', view: current })}>Löschen …</Item>}
          </>
        )}
        <Item onClick={() => onAsk({ kind: 'add' })}>Ansicht speichern …</Item>
      </div>
    </div>
  );
}

function Marks({ view, standard, current }: { view: SavedView; standard: boolean; current: boolean }) {
  return (
    <span className={classes.marks}>
      {view.shared && <IconUsers size={16} aria-label={view.own ? 'geteilt' : `geteilt von ${view.owner}`} />}
      {standard && <IconStar size={16} aria-label="Standard" />}
      {current && <IconCheck size={16} aria-hidden />}
    </span>
  );
}

type ItemProps = { onClick: () => void; current?: boolean; children: ReactNode };

function Item({ onClick, current = false, children }: ItemProps) {
  return (
    <button type="button" className={classes.item} aria-current={current || undefined} onClick={onClick}>
      {children}
    </button>
  );
}
