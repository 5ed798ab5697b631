from locust import FastHttpUser, constant, task


class Visitor(FastHttpUser):
    wait_time = constant(0)

    @task
    def visit(self):
        with self.client.post("/login", json={"email": "ada@shop.example", "password": "secret"}, catch_response=True) as answer:
            if answer.status_code != 200:
                answer.failure("not logged in")
            token = answer.json()["auth"]["token"]
        for page in range(3):
            with self.client.get(f"/page/{page}", headers={"authorization": f"Bearer {token}"}, catch_response=True) as answer:
                if answer.status_code != 200 or "hello" not in answer.text:
                    answer.failure("not the page")
