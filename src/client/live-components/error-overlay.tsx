import { Modal } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { formatInteger } from '#client/ui/text/formats.ts';
import { errorDocument } from './error-document.ts';
import type { ForeignAnswer } from './wire.ts';

type ErrorOverlayProps = { answers: readonly ForeignAnswer[]; onClose: () => void };

/** LVC-03: shows the server's last unexpected answer over the whole page, in a frame that can do nothing. */
export function ErrorOverlay({ answers, onClose }: ErrorOverlayProps) {
  const answer = answers.at(-1) ?? null;
  // Opened one render later: a dialog that starts open does not know where the focus was.
  const [opened, setOpened] = useState(false);
  useEffect(() => setOpened(answer !== null), [answer]);
  const close = () => {
    // Selecting text to copy it must not close the overlay.
    if ((getSelection()?.toString() ?? '') === '') onClose();
  };
  return (
    <Modal
      id="live-component-error"
      opened={opened}
      onClose={onClose}
      onClick={close}
      fullScreen
      title={<span className="k-strong">Das hat nicht geklappt</span>}
      closeButtonProps={{ 'aria-label': 'Schließen' }}
    >
      {/* A new answer replaces the one being read; words say so, also to screen readers. */}
      <p role="status" className="k-strong">
        {answers.length > 1 && `Inzwischen sind es ${formatInteger(answers.length)} Fehler. Das ist der letzte:`}
      </p>
      {answer !== null && <Answer answer={answer} />}
    </Modal>
  );
}

function Answer({ answer }: { answer: ForeignAnswer }) {
  const frame = useRef<HTMLIFrameElement>(null);
  // React would escape the document.
  useEffect(() => {
    if (frame.current !== null) frame.current.srcdoc = errorDocument(answer, import.meta.env.DEV);
  }, [answer]);
  return (
    <div className="k-stack">
      <p>Der Server hat nicht wie erwartet geantwortet. Was Sie eingegeben haben, ist noch da.</p>
      {/* Outside the frame, where it can be selected and copied. */}
      {answer.requestId !== '' && <p>Vorgangsnummer: {answer.requestId}</p>}
      <iframe ref={frame} className="k-live-frame" title="Antwort des Servers" sandbox="" tabIndex={-1} />
    </div>
  );
}
