import { z } from 'zod';

const translated = z.object({
  Name: z.string(),
  Description: z.string().optional(),
  Language: z.string(),
  Default: z.boolean(),
});
const option = z.object({ Id: z.guid(), Label: z.string() });

/**
 * Checks a record to the last member, as a schema does that is written after the platform's documentation.
 */
export const wholeRecord = z.object({
  messages: z.array(z.unknown()),
  DataSubjectId: z.string(),
  Language: z.string(),
  Status: z.number(),
  Purposes: z.array(
    z.object({
      Id: z.guid(),
      Label: z.string(),
      Description: z.string(),
      Status: z.string(),
      TransactionStatus: z.string(),
      Topics: z.array(
        z.object({
          Id: z.guid(),
          Name: z.string(),
          IntegrationKey: z.string(),
          Languages: z.array(translated),
        }),
      ),
      CustomPreferences: z.array(
        z.object({
          Id: z.guid(),
          Name: z.string(),
          Description: z.string(),
          SelectionType: z.string(),
          DisplayAs: z.string(),
          Required: z.boolean(),
          Options: z.array(option),
          Languages: z.array(translated.extend({ Options: z.array(option) })),
        }),
      ),
    }),
  ),
  DsDataElements: z.record(z.string(), z.string()),
});
