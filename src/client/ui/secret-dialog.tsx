import { Button, Modal, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';
import { useFocusBack } from '#client/ui/focus/use-focus-back.ts';

/** Wording for the two kinds of things that are shown once. */
const words = {
  secret: { name: 'Geheimnis', once: 'Kopieren Sie das Geheimnis jetzt. Es wird nur dieses eine Mal gezeigt.' },
  link: { name: 'Link', once: 'Kopieren Sie den Link jetzt. Er wird nur dieses eine Mal gezeigt.' },
} as const;

type SecretDialogProps = {
  title: string;
  secret: string;
  kind?: keyof typeof words;
  onClose: () => void;
  /** What it is used for. */ children: ReactNode;
};

/** A secret that is shown once. A click outside must not close the dialog: it cannot be shown again. */
export function SecretDialog({ title, secret, kind = 'secret', onClose, children }: SecretDialogProps) {
  const { name, once } = words[kind];
  useFocusBack();
  return (
    <Modal opened onClose={onClose} closeOnClickOutside={false} title={<span className="k-strong">{title}</span>}>
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
          />
          <CopyButton value={secret} label={`${name} kopieren`} />
        </div>
        <p className="k-muted k-small">{children}</p>
        <Button onClick={onClose} style={{ alignSelf: 'flex-end' }}>
          Fertig
        </Button>
      </div>
    </Modal>
  );
}
