import { Button, Modal, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { UnsavedGuard } from '#client/leaving/unsaved-guard.tsx';
import { CopyButton } from './copy-button.tsx';
import { useFocusBack } from '#client/ui/focus/use-focus-back.ts';

/** Wording for the two kinds of things that are shown once. */
const words = {
  secret: {
    name: 'Geheimnis',
    once: 'Kopieren Sie das Geheimnis jetzt. Es wird nur dieses eine Mal gezeigt.',
    lost: 'Sie haben das Geheimnis noch nicht kopiert. Danach lässt es sich nicht mehr anzeigen, und Sie müssen ein neues erzeugen.',
  },
  link: {
    name: 'Link',
    once: 'Kopieren Sie den Link jetzt. Er wird nur dieses eine Mal gezeigt.',
    lost: 'Sie haben den Link noch nicht kopiert. Danach lässt er sich nicht mehr anzeigen, und Sie müssen einen neuen erzeugen.',
  },
} as const;

type SecretDialogProps = {
  title: string;
  secret: string;
  kind?: keyof typeof words;
  onClose: () => void;
  /** What it is used for. */ children: ReactNode;
};

/**
 * A secret that is shown once and cannot be shown again: a click outside does not close the dialog, Escape and the way to another
 * page do so only after a warning, unless it was copied.
 */
export function SecretDialog({ title, secret, kind = 'secret', onClose, children }: SecretDialogProps) {
  const { name, once, lost } = words[kind];
  const [copied, setCopied] = useState(false);
  const [warned, setWarned] = useState(false);
  const take = () => {
    setCopied(true);
    setWarned(false);
  };
  useFocusBack();
  return (
    <Modal
      opened
      onClose={() => (copied || warned ? onClose() : setWarned(true))}
      closeOnClickOutside={false}
      title={<span className="k-strong">{title}</span>}
    >
      <UnsavedGuard dirty={!copied} lost={lost} />
      <div className="k-stack">
        <p>{once}</p>
        <div className="k-row" style={{ flexWrap: 'nowrap', alignItems: 'flex-end' }}>
          <TextInput
            label={name}
            readOnly
            value={secret}
            style={{ flex: 1, minWidth: 0 }}
            data-autofocus
            onFocus={({ currentTarget }) => currentTarget.select()}
            onCopy={take}
          />
          <CopyButton value={secret} label={`${name} kopieren`} onCopied={take} />
        </div>
        <p className="k-muted k-small">{children}</p>
        <p role="alert" className={warned ? 'k-strong' : undefined}>
          {warned && `${lost} Mit „Fertig“ schließen Sie trotzdem.`}
        </p>
        <Button onClick={onClose} style={{ alignSelf: 'flex-end' }}>
          Fertig
        </Button>
      </div>
    </Modal>
  );
}
