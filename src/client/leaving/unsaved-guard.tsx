import { Button, Modal } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { useBeforeUnload, useBlocker, useLocation, useNavigate } from 'react-router';
import {
  addGuard,
  blocksRouter,
  type Guard,
  type GuardedForm,
  isAllSaved,
  isGuarding,
  noteForms,
  unsavedForms,
  type LeaveAttempt,
  watchGuards,
} from './leaving.ts';
import { useFocusBack } from '#client/ui/focus/use-focus-back.ts';

/** Stops navigation and closing of the tab while something is unsaved, and offers the ways out. */
export function UnsavedGuard(props: GuardedForm) {
  const [answer, setAnswer] = useState<((leave: boolean) => void) | null>(null);
  const latest = useRef(props);
  const [guard] = useState<Guard>(() => ({
    form: latest,
    ask: () => new Promise((resolve) => setAnswer(() => resolve)),
  }));
  useEffect(() => {
    latest.current = props;
  });
  const { dirty } = props;
  useEffect(() => noteForms(), [dirty]);
  useEffect(() => addGuard(guard), [guard]);
  useBeforeUnload((event) => {
    if (props.dirty) event.preventDefault();
  });
  const blocks = useSyncExternalStore(
    watchGuards,
    () => blocksRouter(guard),
    () => false,
  );
  const end = (leave: boolean) => {
    answer?.(leave);
    setAnswer(null);
  };
  return (
    <>
      {blocks && <BlockedNavigation guard={guard} />}
      {answer !== null && <LeaveForms onStay={() => end(false)} onLeave={() => end(true)} />}
    </>
  );
}

/** Stops the way to another page and asks. */
function BlockedNavigation({ guard }: { guard: Guard }) {
  const now = useLocation();
  const navigate = useNavigate();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => unsavedForms({ now: currentLocation, next: nextLocation }).length > 0,
  );
  if (blocker.state !== 'blocked') return null;
  const next = blocker.location;
  const leave = () => {
    if (isGuarding(guard)) blocker.proceed();
    // A dialog that closed on saving has removed its guard, and with it the blocked navigation.
    else void navigate(next);
  };
  return <LeaveForms way={{ now, next }} onStay={() => blocker.reset()} onLeave={leave} />;
}

type LeaveFormsProps = {
  /** Absent: all forms of the page are left. */
  way?: LeaveAttempt;
  onStay: () => void;
  onLeave: () => void;
};

function LeaveForms({ way, onStay, onLeave }: LeaveFormsProps) {
  const [busy, setBusy] = useState(false);
  const answered = useRef(false);
  const leave = () => {
    if (answered.current) return;
    answered.current = true;
    onLeave();
  };
  const saveAndLeave = async () => {
    setBusy(true);
    let saved = true;
    for (const { onSave } of unsavedForms(way)) saved = saved && (await onSave?.()) === true;
    setBusy(false);
    if (saved) leave();
    else onStay();
  };
  const allSaved = useSyncExternalStore(
    watchGuards,
    () => isAllSaved(way),
    () => false,
  );
  const leaveSaved = useEffectEvent(() => {
    if (!busy) leave();
  });
  useEffect(() => {
    if (allSaved) leaveSaved();
  }, [allSaved]);
  const forms = unsavedForms(way);
  const mayBeSaved = forms.every(({ onSave }) => onSave !== undefined);
  return (
    <LeaveQuestion
      busy={busy}
      lost={forms.find(({ lost }) => lost !== undefined)?.lost}
      onStay={onStay}
      onLeave={leave}
      onSave={mayBeSaved ? () => void saveAndLeave() : undefined}
    />
  );
}

type LeaveQuestionProps = {
  busy: boolean;
  lost: string | undefined;
  onStay: () => void;
  onLeave: () => void;
  /** undefined: the open form can only be sent off or abandoned. */
  onSave: (() => void) | undefined;
};

function LeaveQuestion({ busy, lost, onStay, onLeave, onSave }: LeaveQuestionProps) {
  useFocusBack();
  return (
    <Modal
      opened
      // A save may open a dialog of its own above this one: the key press that closes that one must not close this one, too.
      onClose={() => {
        if (!busy) onStay();
      }}
      title={<span className="k-strong">{onSave === undefined ? 'Seite verlassen?' : 'Änderungen speichern?'}</span>}
    >
      <div className="k-stack">
        <p>
          {onSave === undefined
            ? (lost ?? 'Was Sie eingegeben haben, ist noch nicht gespeichert und geht verloren.')
            : 'Sie haben Änderungen, die noch nicht gespeichert sind.'}
        </p>
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={onStay} data-autofocus>
            Weiter bearbeiten
          </Button>
          <Button variant="default" onClick={onLeave}>
            Verwerfen
          </Button>
          {onSave !== undefined && (
            <Button loading={busy} onClick={onSave}>
              Speichern
            </Button>
          )}
        </div>
      </div>
    </Modal>
  );
}
