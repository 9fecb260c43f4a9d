import { Loader, Modal } from '@mantine/core';
import IconSearch from 'virtual:icons/search';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { Master } from '#shared/masters/schema.ts';
import { call } from '#client/call.ts';
import { logFailure } from '#client/failure.ts';
import type { Active } from '#client/shell/active.ts';
import { foundEntry, matching, type PaletteEntry, placeEntries, screenEntries } from './palette-entries.ts';
import classes from './palette.module.css';
import { useMay, useSession } from '#client/shell/session.ts';

type PaletteProps = {
  masters: readonly Master[];
  active: Active;
  /** Includes what was typed while the palette was loading. */
  typed: string;
  onType: (typed: string) => void;
  onClose: () => void;
};

/** Milliseconds after the last letter before the server is queried. */
const pause = 150;

/** One field that leads to every screen, catalogue, export, account, rule and item; arrow keys choose, Enter opens. */
export default function Palette({ masters, active, typed, onType, onClose }: PaletteProps) {
  const navigate = useNavigate();
  const may = { admin: useMay('admin'), orders: useMay('orders'), owner: useSession()?.role === 'owner' };
  const listId = useId();
  const [chosen, setChosen] = useState(0);
  const { found, state } = useFound(typed);
  const local = matching([...screenEntries(active, may), ...(typed.trim() === '' ? placeEntries(masters) : [])], typed);
  const entries = [...local, ...found];
  const at = Math.min(chosen, entries.length - 1);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at, entries.length]);

  const go = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    onClose();
    void navigate(entry.to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1 + entries.length };
    const next = steps[event.key];
    if (next !== undefined && entries.length > 0) {
      event.preventDefault();
      setChosen(next % entries.length);
    }
    if (event.key === 'Enter') go(entries[at]);
  };
  return (
    <Modal.Root opened onClose={onClose} size={640} yOffset="12vh">
      <Modal.Overlay />
      <Modal.Content aria-label="Suchen">
        <div className={classes.field}>
          <IconSearch size={18} aria-hidden />
          <input
            role="combobox"
            aria-label="Seiten, Regeln, Exporte und Artikel suchen"
            aria-expanded
            aria-controls={listId}
            aria-activedescendant={at >= 0 ? `${listId}-${at}` : undefined}
            aria-autocomplete="list"
            autoComplete="off"
            spellCheck={false}
            placeholder="Seite, Regel, Export, Artikelnummer …"
            maxLength={200}
            value={typed}
            data-autofocus
            onChange={({ currentTarget }) => {
              onType(currentTarget.value);
              setChosen(0);
            }}
            onKeyDown={onKeyDown}
          />
          {state === 'busy' && <Loader size={16} color="var(--k-graphic)" role="img" aria-label="sucht" />}
        </div>
        {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the field keeps the focus (aria-activedescendant) */}
        <div ref={list} role="listbox" id={listId} aria-label="Treffer" className={classes.list}>
          {entries.map((entry, index) => (
            <Option
              key={entry.key}
              id={`${listId}-${index}`}
              entry={entry}
              heading={entries[index - 1]?.group !== entry.group}
              selected={index === at}
              onPick={() => go(entry)}
            />
          ))}
        </div>
        <p className={classes.foot} role="status">
          {footOf(entries.length, state)}
        </p>
      </Modal.Content>
    </Modal.Root>
  );
}

function footOf(count: number, state: 'idle' | 'busy' | 'failed'): string {
  if (state === 'failed') return 'Regeln und Artikel können gerade nicht durchsucht werden. Seiten stehen bereit.';
  if (count === 0) return state === 'busy' ? 'Sucht …' : 'Nichts gefunden.';
  return '↑ ↓ wählen, Eingabe öffnet, Esc schließt';
}

type OptionProps = { id: string; entry: PaletteEntry; heading: boolean; selected: boolean; onPick: () => void };

function Option({ id, entry, heading, selected, onPick }: OptionProps) {
  return (
    <>
      {heading && (
        <div role="presentation" className={classes.group}>
          {entry.group}
        </div>
      )}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field handles keys */}
      <div id={id} role="option" aria-selected={selected} className={classes.option} onClick={onPick}>
        <span className={classes.name}>{entry.name}</span>
        <span className={classes.detail}>{entry.detail}</span>
      </div>
    </>
  );
}

/** Queries the server for the typed text; an answer to an older text is dropped. */
function useFound(typed: string): { found: PaletteEntry[]; state: 'idle' | 'busy' | 'failed' } {
  const [answer, setAnswer] = useState<{ q: string; found: PaletteEntry[]; failed: boolean } | null>(null);
  const q = typed.trim();
  useEffect(() => {
    if (q === '') return;
    const stop = new AbortController();
    const ask = async () => {
      try {
        const { found } = await call(api.search, { query: { q }, signal: stop.signal });
        setAnswer({ q, found: found.map(foundEntry), failed: false });
      } catch (error) {
        if (stop.signal.aborted) return;
        logFailure('Fehler beim Laden', error);
        setAnswer({ q, found: [], failed: true });
      }
    };
    const timer = setTimeout(() => void ask(), pause);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [q]);
  if (q === '') return { found: [], state: 'idle' };
  const found = answer?.found ?? [];
  // What still fits stays until the next answer, so that the list does not flicker. Enter must not open anything else.
  if (answer?.q !== q) return { found: matching(found, q), state: 'busy' };
  return { found, state: answer.failed ? 'failed' : 'idle' };
}
