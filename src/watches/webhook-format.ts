/** What a webhook is posted in place of our JSON, by the service that takes it. */
export type WebhookFormat = {
  name: string;
  /** The address to post to, and the JSON, for a message as people read it. */
  post(url: string, message: { subject: string; text: string }): { url: string; body: object };
};
