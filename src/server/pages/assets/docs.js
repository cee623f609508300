// Shows the OpenAPI description, without requests to other servers.
const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

/** Drops examples of optional parameters: all at once, they match almost no record. */
function withoutExamplesOfFilters(description) {
  for (const { get } of Object.values(description.paths)) {
    for (const parameter of get?.parameters ?? []) if (!parameter.required) delete parameter.example;
  }
  return description;
}

async function show() {
  const response = await fetch('openapi.json');
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail);
  SwaggerUIBundle({
    spec: withoutExamplesOfFilters(answer),
    dom_id: '#docs',
    deepLinking: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
  });
}

show().catch((error) => {
  document.querySelector('#docs').textContent = `The description cannot be shown: ${error.message}`;
});
