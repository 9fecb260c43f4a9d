import { ActionIcon } from '@mantine/core';
import IconCheck from 'virtual:icons/check';
import IconCopy from 'virtual:icons/copy';
import { useEffect, useState } from 'react';
import { showFailure } from './notices.tsx';

const refused = {
  title: 'Nicht kopiert',
  message:
    'Der Browser hat das Kopieren nicht zugelassen. Bitte markieren Sie den Text, und kopieren Sie ihn mit der Tastatur.',
};

type CopyButtonProps = { value: string; label: string; onCopied?: () => void };

/** Copies a text and confirms it for two seconds. Browsers may refuse: without HTTPS, for example, there is no clipboard. */
export function CopyButton({ value, label, onCopied }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      showFailure(refused);
      return;
    }
    setCopied(true);
    onCopied?.();
  };
  return (
    <>
      <ActionIcon variant="default" size={36} aria-label={label} title={label} onClick={() => void copy()}>
        {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
      </ActionIcon>
      <span className="k-hidden" role="status">
        {copied ? 'Kopiert' : ''}
      </span>
    </>
  );
}
