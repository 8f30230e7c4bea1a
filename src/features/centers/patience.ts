/** How long a post waits for the platform before it shows what is still being carried out. Milliseconds. */
export const patience = 7_500;
