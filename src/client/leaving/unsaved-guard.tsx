import { Button, Modal } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { useBeforeUnload, useBlocker, useLocation, useNavigate } from 'react-router';
import {
  addGuard,
  blocksRouter,
  countUnsaved,
  type Guard,
  type GuardedForm,
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
    for (const { onSave } of typedIn(unsavedForms(way))) saved = saved && (await onSave?.()) === true;
    setBusy(false);
    if (!saved) onStay();
    // What cannot be saved is still there, and is asked about once more, alone.
    else if (unsavedForms(way).every(isTyped)) leave();
  };
  const unsaved = useSyncExternalStore(
    watchGuards,
    () => countUnsaved(way),
    () => 1,
  );
  const allSaved = unsaved === 0;
  const leaveSaved = useEffectEvent(() => {
    if (!busy) leave();
  });
  useEffect(() => {
    if (allSaved) leaveSaved();
  }, [allSaved]);
  const forms = unsavedForms(way);
  const typed = typedIn(forms);
  const mayBeSaved = typed.length > 0 && typed.every(({ onSave }) => onSave !== undefined);
  return (
    <LeaveQuestion
      busy={busy}
      sentences={[
        ...(typed.length === 0 ? [] : [mayBeSaved ? TYPED : TYPED_AND_LOST]),
        ...new Set(forms.flatMap(({ lost }) => lost ?? [])),
      ]}
      onStay={onStay}
      onLeave={leave}
      onSave={mayBeSaved ? () => void saveAndLeave() : undefined}
    />
  );
}

const TYPED = 'Sie haben Änderungen, die noch nicht gespeichert sind.';
const TYPED_AND_LOST = 'Was Sie eingegeben haben, ist noch nicht gespeichert und geht verloren.';

const isTyped = ({ lost }: GuardedForm): boolean => lost === undefined;
const typedIn = (forms: readonly GuardedForm[]): readonly GuardedForm[] => forms.filter(isTyped);

type LeaveQuestionProps = {
  busy: boolean;
  /** What is lost by leaving. */
  sentences: readonly string[];
  onStay: () => void;
  onLeave: () => void;
  /** undefined: the open form can only be sent off or abandoned. */
  onSave: (() => void) | undefined;
};

function LeaveQuestion({ busy, sentences, onStay, onLeave, onSave }: LeaveQuestionProps) {
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
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
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
