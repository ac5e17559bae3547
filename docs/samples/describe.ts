const answer = await fetch(`${process.env.DAFTAR_API_URL}/openapi.yaml`);
console.log(await answer.text());
