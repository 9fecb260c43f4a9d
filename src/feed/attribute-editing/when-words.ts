import type { ChannelField } from '#shared/channels/schema.ts';

type Conditional = Pick<ChannelField, 'requirement' | 'when' | 'whenText'>;

/**
 * Returns a sentence about the items that a channel's field concerns: required for them, if the condition can be checked or the
 * field is required at all, else only meant for them. '' without such a condition.
 */
export function whenWords(field: Conditional | undefined): string {
  if (field === undefined || field.whenText === '') return '';
  const required = field.when.length > 0 || field.requirement === 'Required';
  return `${required ? 'Pflicht' : 'Gilt'}: ${field.whenText}`;
}
