import { Button, Modal, type ModalProps } from '@mantine/core';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { UnsavedGuard } from '#client/leaving/unsaved-guard.tsx';
import { useFocusBack } from '#client/ui/focus/use-focus-back.ts';

type FormDialogProps = Omit<ModalProps, 'closeOnClickOutside' | 'title'> & {
  title: string;
  /** The user typed something that closing would lose. */
  dirty: boolean;
  /** The form inside guards against leaving the page itself. */
  guarded?: boolean;
};

/**
 * A dialog with a form: a click outside, Escape, the close button and navigation do not discard what was typed without asking.
 * Its own buttons do as they say.
 */
export function FormDialog({ title, dirty, guarded = false, onClose, children, ...modal }: FormDialogProps) {
  const [leaving, setLeaving] = useState(false);
  const before = useRef<Element>(null);
  const content = useRef<HTMLDivElement>(null);
  useFocusBack(modal.opened);
  if (leaving && !dirty) setLeaving(false);
  const close = () => {
    // Escape in a dialog above this one closes only that one.
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
  // The warning is above a possibly long form: after Escape further down, the user must see it.
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

/** Reports to the surrounding dialog whether a form has typed input; an unmounted form has none. */
export function useTellDirty(onDirty: (dirty: boolean) => void, dirty: boolean): void {
  // Before the next key event: Escape right after a letter must find the form dirty.
  useLayoutEffect(() => {
    onDirty(dirty);
    return () => onDirty(false);
  }, [onDirty, dirty]);
}
