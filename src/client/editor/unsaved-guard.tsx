import { Button, Modal } from '@mantine/core';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { type Location, useBeforeUnload, useBlocker, useLocation, useNavigate } from 'react-router';
import { type FormPlace, leavesForm } from './leaves-form.ts';

type UnsavedGuardProps = FormPlace & {
  dirty: boolean;
  /** Saves and returns whether it succeeded; only then the page may be left. */
  onSave: () => Promise<boolean>;
};

/** The router asks only the guard that was added last; so each answers for every form of the page. */
const guards = new Set<RefObject<UnsavedGuardProps>>();
const unsaved = (now: Location, next: Location) =>
  [...guards].map(({ current }) => current).filter((form) => form.dirty && leavesForm(form, now, next));

/** Stops navigation and closing of the tab while something is unsaved, and offers the three ways out. */
export function UnsavedGuard(props: UnsavedGuardProps) {
  const [busy, setBusy] = useState(false);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    guards.add(latest);
    return () => {
      guards.delete(latest);
    };
  }, []);
  useBeforeUnload((event) => {
    if (props.dirty) event.preventDefault();
  });
  const now = useLocation();
  const navigate = useNavigate();
  const blocker = useBlocker(({ currentLocation, nextLocation }) => unsaved(currentLocation, nextLocation).length > 0);
  if (blocker.state !== 'blocked') return null;

  const saveAndGo = async () => {
    setBusy(true);
    let saved = true;
    for (const { onSave } of unsaved(now, blocker.location)) saved = saved && (await onSave());
    setBusy(false);
    if (!saved) blocker.reset();
    else if (guards.has(latest)) blocker.proceed();
    // A dialog that closes with its save took the guard along.
    else void navigate(blocker.location);
  };
  return (
    <Modal
      opened
      // A save may ask something itself, in a dialog above this one: what closes that one must not close this one too.
      onClose={() => {
        if (!busy) blocker.reset();
      }}
      title={<span className="k-strong">Änderungen speichern?</span>}
    >
      <div className="k-stack">
        <p>Sie haben Änderungen, die noch nicht gespeichert sind.</p>
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={() => blocker.reset()} data-autofocus>
            Weiter bearbeiten
          </Button>
          <Button variant="default" onClick={() => blocker.proceed()}>
            Verwerfen
          </Button>
          <Button loading={busy} onClick={() => void saveAndGo()}>
            Speichern
          </Button>
        </div>
      </div>
    </Modal>
  );
}
