import { Button, Modal, type ModalProps } from '@mantine/core';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { UnsavedGuard } from '#client/leaving/unsaved-guard.tsx';
import { useFocusBack } from '#client/ui/focus/use-focus-back.ts';

type FormDialogProps = Omit<ModalProps, 'closeOnClickOutside' | 'title'> & {
  title: string;
  /** Somebody typed what closing would lose. */
  dirty: boolean;
  /** The form in it asks by itself before the page is left. */
  guarded?: boolean;
};

/**
 * A dialog with a form: a click beside it, Escape, the cross, and whatever leaves the page throw nothing away that was typed. Its own
 * buttons do as they say.
 */
export function FormDialog({ title, dirty, guarded = false, onClose, children, ...modal }: FormDialogProps) {
  const [leaving, setLeaving] = useState(false);
  const before = useRef<Element>(null);
  const content = useRef<HTMLDivElement>(null);
  useFocusBack(modal.opened);
  if (leaving && !dirty) setLeaving(false);
  const close = () => {
    // Escape in a dialog above this one closes that one alone.
    const upper = document.activeElement?.closest('[aria-modal="true"]');
    if (upper && !upper.contains(content.current)) return undefined;
    if (!dirty) return onClose();
    if (!leaving) before.current = document.activeElement;
    return setLeaving(true);
  };
  const stay = () => {
    setLeaving(false);
    if (before.current instanceof HTMLElement) before.current.focus();
  };
  const leave = () => {
    setLeaving(false);
    onClose();
  };
  return (
    <Modal
      {...modal}
      onClose={close}
      closeOnClickOutside={!dirty}
      title={<span className="k-strong">{title}</span>}
      keepMounted={false}
    >
      {leaving && dirty && <Question onStay={stay} onLeave={leave} />}
      <div ref={content} data-own-save>
        {children}
      </div>
      {!guarded && <UnsavedGuard dirty={dirty} />}
    </Modal>
  );
}

function Question({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  // It stands above what may be a long form: whoever pressed Escape further down must see it.
  useEffect(() => button.current?.focus(), []);
  return (
    <div
      className="k-row"
      role="alert"
      style={{
        marginBottom: 12,
        padding: '8px 12px',
        borderRadius: 7,
        background: 'var(--k-optional-fill)',
        color: 'var(--k-optional-text)',
      }}
    >
      <span>Ihre Änderungen sind noch nicht gespeichert.</span>
      <Button ref={button} size="xs" variant="default" onClick={onStay}>
        Weiter bearbeiten
      </Button>
      <Button size="xs" color="red.9" onClick={onLeave}>
        Verwerfen
      </Button>
    </div>
  );
}

/** Tells the dialog around a form whether something is typed in it; a form that is gone holds nothing. */
export function useTellDirty(onDirty: (dirty: boolean) => void, dirty: boolean): void {
  // Before the next key can come: Escape right behind a letter must find it.
  useLayoutEffect(() => {
    onDirty(dirty);
    return () => onDirty(false);
  }, [onDirty, dirty]);
}
