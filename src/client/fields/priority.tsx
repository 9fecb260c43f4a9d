import { NativeSelect } from '@mantine/core';
import IconAsterisk from 'virtual:icons/asterisk';
import IconCircle from 'virtual:icons/circle';
import IconMinus from 'virtual:icons/minus';
import IconStar from 'virtual:icons/star';
import type { IconComponent } from '#client/ui/icons/icon.tsx';
import { requirementNames, type Requirement, requirements } from '#shared/channels/requirement.ts';
import { Badge } from '#client/ui/badge.tsx';
import classes from './fields.module.css';

const icons: Record<Requirement, IconComponent> = {
  Required: IconAsterisk,
  Recommended: IconStar,
  Optional: IconCircle,
  '': IconMinus,
};

/** Wording of priorities: German ('Pflicht' etc.), or the channel's own names ('Required') in the tabbed construction. */
type Words = 'german' | 'names';
const wordOf = (value: Requirement, words: Words): string =>
  words === 'names' && value !== '' ? value : requirements[value].label;

/** GEN-09: colour, icon and word. */
export function PriorityBadge({ value, words = 'german' }: { value: Requirement; words?: Words }) {
  return (
    <Badge tone={requirements[value].color} icon={icons[value]}>
      {wordOf(value, words)}
    </Badge>
  );
}

const colors: Record<Requirement, string> = {
  Required: 'var(--k-required-text)',
  Recommended: 'var(--k-recommended-text)',
  Optional: 'var(--k-optional-text)',
  '': 'var(--k-muted)',
};

type PrioritySelectProps = {
  label: string;
  value: Requirement;
  words: Words;
  onChange: (value: Requirement) => void;
};

/** A priority as a select. */
export function PrioritySelect({ label, value, words, onChange }: PrioritySelectProps) {
  const Icon = icons[value];
  return (
    <NativeSelect
      aria-label={label}
      classNames={{ input: classes.priority }}
      data-tone={requirements[value].color}
      leftSection={<Icon size={14} stroke={2.2} color={colors[value]} aria-hidden />}
      leftSectionWidth={30}
      value={value}
      onChange={({ currentTarget }) => {
        const chosen = requirementNames.find((name) => name === currentTarget.value);
        if (chosen !== undefined) onChange(chosen);
      }}
      data={requirementNames.map((name) => ({ value: name, label: wordOf(name, words) }))}
    />
  );
}
